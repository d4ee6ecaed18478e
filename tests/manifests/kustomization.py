"""Resolves the kustomizations of deploy/kubernetes, as far as they go: resources, labels, images,
replicas, and patches as of RFC 6902. What it does not know it refuses."""

import copy

import yaml

KNOWN = {"apiVersion", "kind", "resources", "labels", "images", "replicas", "patches"}
WORKLOADS = ("StatefulSet", "Deployment")
# Where a workload has the labels that a kustomization adds, beside its own.
POD_LABELS = ("spec", "template", "metadata", "labels")


def documents(path):
    """Returns the documents of a file."""
    return [document for document in yaml.safe_load_all(path.read_text("utf-8")) if document]


def within(document, *path):
    """Returns the mapping at a path, made if need be."""
    for name in path:
        document = document.setdefault(name, {})
    return document


def add_labels(document, pairs):
    within(document, "metadata", "labels").update(pairs)
    if document["kind"] in WORKLOADS:
        within(document, *POD_LABELS).update(pairs)
        within(document, "spec", "selector", "matchLabels").update(pairs)
        for claim in document["spec"].get("volumeClaimTemplates", []):
            within(claim, "metadata", "labels").update(pairs)
    elif document["kind"] == "Service":
        within(document, "spec", "selector").update(pairs)
    # Of other kinds only a selector that is there: the one of a budget has to be written.
    elif "selector" in document.get("spec", {}):
        within(document, "spec", "selector", "matchLabels").update(pairs)


def tag_images(document, tags):
    for container in document.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
        if container["image"] in tags:
            container["image"] += ":" + tags[container["image"]]


def apply(document, operations):
    """Changes a document as a patch of RFC 6902 says."""
    for operation in operations:
        if operation["op"] != "add":
            raise ValueError(f"the test knows no operation {operation['op']}")
        *path, last = operation["path"].strip("/").split("/")
        place = document
        for name in path:
            place = place[int(name)] if isinstance(place, list) else place[name]
        value = copy.deepcopy(operation["value"])
        if not isinstance(place, list):
            place[last] = value
        elif last == "-":
            place.append(value)
        else:
            place.insert(int(last), value)


def matches(document, target):
    return (document["kind"] == target.get("kind", document["kind"]) and
            document["metadata"]["name"] == target.get("name", document["metadata"]["name"]))


def patch(found, folder, asked):
    operations = yaml.safe_load(asked["patch"] if "patch" in asked
                                else (folder / asked["path"]).read_text("utf-8"))
    targets = [document for document in found if matches(document, asked["target"])]
    if not targets:
        raise ValueError(f"{folder}: no {asked['target']} to patch")
    for document in targets:
        apply(document, operations)


def resolve(folder):
    """Returns the documents that `kubectl kustomize FOLDER` prints, in any order."""
    told = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))
    unknown = set(told) - KNOWN
    if unknown:
        raise ValueError(f"{folder}: the test does not know {', '.join(unknown)}")
    found = []
    for name in told["resources"]:
        path = (folder / name).resolve()
        found += resolve(path) if path.is_dir() else documents(path)
    for asked in told.get("patches", []):
        patch(found, folder, asked)
    for label in told.get("labels", []):
        for document in found:
            add_labels(document, label["pairs"])
    for document in found:
        tag_images(document, {image["name"]: str(image["newTag"]) for image in told.get("images", [])})
        for replicas in told.get("replicas", []):
            if document["kind"] in WORKLOADS and document["metadata"]["name"] == replicas["name"]:
                document["spec"]["replicas"] = replicas["count"]
    return found
