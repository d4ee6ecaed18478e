"""The sample bot in Node, for tests in Python."""

import shutil
import subprocess


def node_bot(folder, source):
    """The command of the sample bot in Node; none if Node or its SDK's packages are not there."""
    sdk = source / "sdk/node"
    if not (shutil.which("node") and (sdk / "node_modules/.bin/tsc").exists()):
        return None
    if not (sdk / "dist/index.js").exists():
        subprocess.run(["npm", "run", "--silent", "build"], cwd=sdk, check=True)
    (folder / "node_modules").mkdir()
    (folder / "node_modules/referee-sdk").symlink_to(sdk)
    for name in ("random.js", "package.json"):
        shutil.copy(source / "sample-bots/node" / name, folder)
    return ["node", f"{folder}/random.js"]
