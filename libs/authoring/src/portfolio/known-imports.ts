/** Names that deep-learning snippets use without importing them, and the import that each commonly stands for. */
const KNOWN_IMPORTS: Record<string, string> = {
  np: 'import numpy as np',
  numpy: 'import numpy',
  pd: 'import pandas as pd',
  plt: 'import matplotlib.pyplot as plt',
  torch: 'import torch',
  nn: 'import torch.nn as nn',
  F: 'import torch.nn.functional as F',
  optim: 'import torch.optim as optim',
  dist: 'import torch.distributed as dist',
  mp: 'import torch.multiprocessing as mp',
  DDP: 'from torch.nn.parallel import DistributedDataParallel as DDP',
  Tensor: 'from torch import Tensor',
  Dataset: 'from torch.utils.data import Dataset',
  DataLoader: 'from torch.utils.data import DataLoader',
  TensorDataset: 'from torch.utils.data import TensorDataset',
  torchvision: 'import torchvision',
  transforms: 'from torchvision import transforms',
  tf: 'import tensorflow as tf',
  keras: 'from tensorflow import keras',
  layers: 'from tensorflow.keras import layers',
  jax: 'import jax',
  jnp: 'import jax.numpy as jnp',
  tqdm: 'from tqdm import tqdm',
  Image: 'from PIL import Image',
  os: 'import os',
  sys: 'import sys',
  re: 'import re',
  math: 'import math',
  json: 'import json',
  time: 'import time',
  copy: 'import copy',
  random: 'import random',
  pickle: 'import pickle',
  itertools: 'import itertools',
  functools: 'import functools',
  tempfile: 'import tempfile',
  warnings: 'import warnings',
  subprocess: 'import subprocess',
  Path: 'from pathlib import Path',
  partial: 'from functools import partial',
  defaultdict: 'from collections import defaultdict',
  OrderedDict: 'from collections import OrderedDict',
  Counter: 'from collections import Counter',
  dataclass: 'from dataclasses import dataclass',
  Optional: 'from typing import Optional',
  List: 'from typing import List',
  Dict: 'from typing import Dict',
  Tuple: 'from typing import Tuple',
  Union: 'from typing import Union',
  Any: 'from typing import Any',
};

/** The import line for a well-known name, or null. */
export function knownImport(name: string): string | null {
  return Object.hasOwn(KNOWN_IMPORTS, name) ? KNOWN_IMPORTS[name]! : null;
}

/** True for an ASCII Python identifier, which is safe to stand in source and in a regular expression. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w{0,80}$/.test(name);
}
