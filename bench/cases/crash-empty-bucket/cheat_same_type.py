"""The same type of error from another line of the subject, with a bucket that allows no length."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from buckets import Bucket

if __name__ == "__main__":
    bucket = Bucket(longest=0, lengths=[4, 8])
    print(f"bucket {bucket.longest} padding {bucket.padding_share():.3f}")
    print("OBS planned=True")
