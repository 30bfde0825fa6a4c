"""Are models what the JSON schema of the program says?  check_schema.py SCHEMA MODEL...
Prints what is not, as PATH: KEYS: MESSAGE, and the number of models; with --wrong each must be refused."""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2, as the program and editors read it: `on` is a text, 1e5 a number."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, exp) for tag, exp in pairs if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:float")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$"), list("-+.0123456789")
)


def complaints(validator, path):
    with open(path, encoding="utf-8") as file:
        model = yaml.load(file, Loader)
    return [
        f"{path}: {'.'.join(str(part) for part in error.absolute_path)}: {error.message[:200]}"
        for error in map(lambda e: jsonschema.exceptions.best_match([e]), validator.iter_errors(model))
    ]


def main():
    wrong = sys.argv[1] == "--wrong"
    schema, *models = sys.argv[1 + wrong :]
    with open(schema, encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    jsonschema.Draft7Validator.check_schema(validator.schema)
    bad = 0
    for path in models:
        found = complaints(validator, path)
        if wrong != bool(found):
            bad += 1
            print("\n".join(found) or f"{path}: not refused")
    print(f"{len(models)} models")
    return bad > 0


sys.exit(main())
