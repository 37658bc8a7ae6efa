"""Settings: defaults < user file < environment < editor, merged key by key."""

from __future__ import annotations

from inkwright.config.load import Loaded, load, user_file
from inkwright.config.models import KEY, ModelReader
from inkwright.config.settings import Checks, Settings
from inkwright.config.userfile import UserFile

__all__ = ["KEY", "Checks", "Loaded", "ModelReader", "Settings", "UserFile", "load", "user_file"]
