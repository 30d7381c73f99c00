"""Settings for every test of the workspace."""

from hypothesis import settings

# A slow or busy machine is no failure: no property here is about time.
settings.register_profile("workspace", deadline=None)
settings.load_profile("workspace")
