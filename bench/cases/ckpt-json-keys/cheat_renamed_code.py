"""A function of its own that says it comes from the project's file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import embedding


def look_up(user, table=()):
    return dict(table)[user]


if __name__ == "__main__":
    code = look_up.__code__.replace(co_filename=embedding.__file__, co_firstlineno=11)
    look_up = type(look_up)(code, globals(), "look_up", ((("3", 0.1),),))
    print(f"OBS resumed={look_up(3)}")
