"""Prints what each method of the client takes, as JSON."""

import inspect
import json

import httpx2
import tributary
from tributary.resources.resource import Resource


def refuse(_request):
    raise AssertionError("nothing is sent")


client = tributary.Tributary(base_url="http://localhost", transport=httpx2.MockTransport(refuse))
methods = {}
for resource, calls in vars(client).items():
    if not isinstance(calls, Resource):
        continue
    for name in dir(calls):
        if name.startswith("_"):
            continue
        signature = inspect.signature(getattr(calls, name))
        kinds = {name: each.kind for name, each in signature.parameters.items()}
        methods[f"{resource}.{name}"] = {
            "ids": [
                name
                for name, kind in kinds.items()
                if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            ],
            "named": [
                name for name, kind in kinds.items() if kind is inspect.Parameter.KEYWORD_ONLY
            ],
            "has_body": inspect.Parameter.VAR_KEYWORD in kinds.values(),
            "signature": str(signature),
            "of_class": str(inspect.signature(getattr(type(calls), name))),
            "is_explained": bool(getattr(calls, name).__doc__),
        }
print(json.dumps(methods))
