"""Reads Connect Views from standard input with both generated clients, and prints the kinds of step that each has read.

The folder of the clients is the first argument: `attrs_client` is a package of openapi-python-client, `pydantic_models`
a module of datamodel-code-generator.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])

import pydantic_models
from attrs_client.models import ConnectView

views = json.load(sys.stdin)
read = [ConnectView.from_dict(view).step for view in views]
steps = [pydantic_models.ConnectView.model_validate(view).step for view in views]
validated = [getattr(step, "root", step) for step in steps]
print(
    json.dumps(
        {
            "attrs": [[type(step).__name__, step.kind] for step in read],
            "pydantic": [[type(step).__name__, step.kind] for step in validated],
        }
    )
)
