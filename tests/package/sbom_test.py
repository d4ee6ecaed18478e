#!/usr/bin/env python3
"""Claims about the list of parts: tests/package/sbom_test.py BIN, the folder of the programs."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Sbom(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.text = subprocess.run([str(ROOT / "deploy/sbom"), cls.programs], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
        cls.document = json.loads(cls.text)
        cls.parts = {part["name"]: part for part in cls.document["components"]}

    def test_is_cyclonedx_with_parts_that_are_named_once(self):
        self.assertEqual(self.document["bomFormat"], "CycloneDX")
        self.assertRegex(self.document["serialNumber"], r"^urn:uuid:[0-9a-f-]{36}$")
        references = [part["bom-ref"] for part in self.document["components"]]
        self.assertEqual(len(references), len(set(references)))
        self.assertEqual(self.document["dependencies"][0]["dependsOn"], sorted(references))

    def test_has_the_libraries_that_are_loaded_as_they_are_installed(self):
        for name in ("libgrpc++1.51", "libprotobuf32", "libsqlite3-0", "libc6"):
            version = subprocess.run(
                ["dpkg-query", "--show", "--showformat", "${Version}\n", name], check=True,
                text=True, stdout=subprocess.PIPE).stdout.splitlines()[0]
            self.assertEqual(self.parts[name]["version"], version)
            self.assertIn(f"pkg:deb/debian/{name}@{version}?", self.parts[name]["purl"])

    def test_has_what_was_compiled_in_and_what_the_lock_file_says(self):
        self.assertIn("libcli11-dev", self.parts)
        self.assertRegex(self.parts["typescript"]["purl"], r"^pkg:npm/typescript@\d")

    def test_the_same_build_gives_the_same_bytes(self):
        again = subprocess.run([str(ROOT / "deploy/sbom"), self.programs], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        self.assertEqual(again, self.text)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Sbom.programs = sys.argv.pop(1)
    unittest.main()
