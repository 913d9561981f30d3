import { describe, expect, it } from 'vitest';
import { indexSources } from './code-index.js';
import type { TrainingLoop } from './training-files.js';

async function loopsIn(files: Record<string, string>): Promise<TrainingLoop[]> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, kind: 'python' as const, text }));
  return (await indexSources(sources)).loops;
}

async function rulesIn(text: string): Promise<string[]> {
  return [...new Set((await loopsIn({ 'train.py': text })).flatMap((loop) => loop.rules))].sort();
}

const positive: [rule: string, text: string][] = [
  ['H1', 'import tensorflow as tf\nwith tf.Session() as s:\n    for i in range(9):\n        s.run(op)\n'],
  ['H1', 'import tensorflow.compat.v1 as tf\ndef go(sess, op):\n    while True:\n        sess.run(op)\n'],
  ['H2', 'from tensorflow import keras\nmodel = keras.Sequential()\nmodel.fit(x, y)\n'],
  ['H2', 'import keras\ndef go(model):\n    model.train_on_batch(x, y)\n'],
  ['H3', 'import tensorflow as tf\ndef step(optimizer, pairs):\n    optimizer.apply_gradients(pairs)\n'],
  ['H4', 'import tensorflow as tf\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n'],
  [
    'H4',
    'from tensorflow import GradientTape\ndef step(x):\n    with GradientTape(persistent=True) as tape:\n        g = tape.gradient(y, x)\n',
  ],
  ['H5', 'import torch\nopt = torch.optim.SGD(p, 0.1)\nfor x in data:\n    f(x).backward()\n    opt.step()\n'],
  ['H5', 'def go(self, data):\n    while data:\n        self.optimizer.zero_grad()\n'],
  ['H5', 'from torch.cuda.amp import GradScaler\ns = GradScaler()\nfor x in data:\n    s.step(o)\n'],
  ['H5', 'def step(batch):\n    f(batch).backward()\n\nfor batch in data:\n    step(batch)\n'],
  ['H5', 'losses = [f(x).backward() for x in data]\n'],
  ['H5', 'for batch in data:\n    optimizers[0].step()\n'],
  ['H5', 'class T:\n    def go(self):\n        for b in self.data:\n            self.optimizerG.step()\n'],
  ['H6', 'for x in data:\n    total += train_loss.item()\n'],
  ['H7', 'for epoch in range(3):\n    loader.to("cuda")\n'],
  ['H8', 'class Outer:\n    class Inner:\n        pass\n    def training_step(self, batch):\n        return 1\n'],
  ['hf-trainer', 'from transformers import Trainer\ntrainer = Trainer(model)\ntrainer.train()\n'],
  ['hf-trainer', 'from transformers import Trainer as T\nclass MyTrainer(T):\n    pass\nMyTrainer(model).train()\n'],
  ['accelerate', 'from accelerate import Accelerator\nacc = Accelerator()\ndef step(loss):\n    acc.backward(loss)\n'],
  ['torch-distributed', 'import torch.distributed as dist\nfor t in tensors:\n    dist.all_reduce(t)\n'],
  ['torch-distributed', 'from torch import distributed\ndef setup():\n    distributed.init_process_group("gloo")\n'],
  [
    'deepspeed',
    'import deepspeed\nengine, _, _, _ = deepspeed.initialize(model=m)\ndef step(loss):\n    engine.backward(loss)\n    engine.step()\n',
  ],
  ['lightning', 'import lightning.pytorch as pl\ntrainer = pl.Trainer(max_epochs=1)\ntrainer.fit(model)\n'],
  ['ignite', 'from ignite.engine import Engine\nt = Engine(update)\nt.run(data, max_epochs=3)\n'],
  ['fastai', 'from fastai.vision.all import *\nlearn.fit_one_cycle(3)\n'],
  [
    'jax',
    'import jax, optax\ntx = optax.adam(1e-3)\ndef step(p, s, x):\n    l, g = jax.value_and_grad(f)(p, x)\n    u, s = tx.update(g, s)\n    return optax.apply_updates(p, u), s\n',
  ],
  ['keras-train-step', 'import keras\nclass Gan(keras.Model):\n    def train_step(self, data):\n        return {}\n'],
  ['tf-estimator', 'import tensorflow as tf\ntf.estimator.train_and_evaluate(e, t, v)\n'],
];

const negative: [title: string, text: string][] = [
  ['subprocess.run in a loop', 'import subprocess\nimport tensorflow as tf\nfor c in commands:\n    subprocess.run(c)\n'],
  ['run imported by name', 'from subprocess import run\nfor c in commands:\n    run(c)\n'],
  ['scikit-learn fit', 'from sklearn.svm import SVC\nimport torch\nclf = SVC()\nclf.fit(x, y)\n'],
  ['scikit-learn fit beside keras', 'import keras\nfrom sklearn.preprocessing import StandardScaler as S\nscaler = S()\nscaler.fit(x)\n'],
  ['fit without a framework', 'def go(model):\n    model.fit(x, y)\n'],
  ['scipy minimize', 'import jax\nfrom scipy import optimize\nr = optimize.minimize(f, x0)\n'],
  ['gradient outside a tape', 'import numpy as np\nfor x in data:\n    g = np.gradient(x)\n'],
  ['env.step', 'import gym\nimport torch\nenv = gym.make("A")\nwhile not done:\n    s, r, done, _ = env.step(a)\n'],
  ['env.step of a parameter', 'def play(env, agent):\n    for _ in range(3):\n        env.step(agent.act())\n'],
  ['scheduler.step', 'import torch\nscheduler = torch.optim.lr_scheduler.StepLR(o, 1)\nfor e in range(3):\n    scheduler.step()\n'],
  [
    'Monte-Carlo step',
    'import random\nclass Walk:\n    def step(self):\n        return random.random()\nwalk = Walk()\nfor _ in range(9):\n    walk.step()\n',
  ],
  ['step outside a loop', 'def step(self):\n    self.optimizer.step()\n'],
  ['step of an option', 'for x in data:\n    option.step()\n    operator.step()\n'],
  ['item of something else', 'for x in data:\n    n = count.item()\n'],
  ['loader moved outside a loop', 'loader.to("cuda")\n'],
  ['training_step outside a class', 'def training_step(batch):\n    return 1\n'],
  ['model.train()', 'import transformers\nmodel.train()\nfor x in data:\n    model(x)\n'],
  ['backward of an automaton', 'import automat\nm = automat.Machine()\ndef go():\n    m.backward()\n'],
  ['dict.update beside jax', 'import jax\nsettings = dict()\nsettings.update(a=1)\n'],
  ['keras layer with train_step', 'class Runner:\n    def train_step(self):\n        pass\n'],
  ['broadcast of numpy', 'import numpy as np\nfor x in data:\n    np.broadcast(x, y)\n'],
  ['words in strings and comments', '# for x in data: loss.backward()\nTEXT = """\nfor x in data:\n    loss.backward()\n"""\n'],
];

describe('training-loop rules', () => {
  it.each(positive)('%s fires: %j', async (rule, text) => {
    expect(await rulesIn(text)).toContain(rule);
  });

  it.each(negative)('nothing fires: %s', async (_, text) => {
    expect(await rulesIn(text)).toEqual([]);
  });

  it('reaches a framework through an import of the project', async () => {
    const model = 'import keras\ndef build():\n    return keras.Sequential()\n';
    const loops = await loopsIn({ 'model.py': model, 'main.py': 'from model import build\nnet = build()\nnet.fit(x, y)\n' });
    expect(loops.map((loop) => [loop.file, loop.rules])).toEqual([['main.py', ['H2']]]);
  });

  it('follows a call from a loop into a function of an imported file', async () => {
    const agent = 'class Agent:\n    def learn(self, batch):\n        loss = self.f(batch)\n        loss.backward()\n';
    const loops = await loopsIn({
      'agent.py': agent,
      'other.py': 'for x in y:\n    z.learn(x)\n',
      'run.py': 'from agent import Agent\na = Agent()\nfor x in data:\n    a.learn(x)\n',
    });
    expect(loops.map((loop) => loop.file)).toEqual(['run.py']);
    expect(loops[0]?.helpers.map((helper) => [helper.file, helper.name, helper.startLine])).toEqual([['agent.py', 'Agent.learn', 2]]);
  });
});

describe('loop slices', () => {
  const text = `import torch

WIDTH = 3
UNUSED = 4
model = make(WIDTH)
other = make(UNUSED)
if ready:
    seed = 1
    for epoch in range(2):
        for x in data:
            model(x, seed).backward()
print(other)
`;

  it('keeps the loop, the blocks around it and the assignments that it needs', async () => {
    const [loop] = await loopsIn({ 'train.py': text });
    expect(loop?.text).toBe(
      'WIDTH = 3\n# …\nmodel = make(WIDTH)\n# …\nif ready:\n    seed = 1\n    for epoch in range(2):\n        for x in data:\n            model(x, seed).backward()',
    );
    expect([loop?.startLine, loop?.endLine, loop?.name, loop?.function]).toEqual([3, 11, 'train', null]);
  });

  it('knows the function around the loop, with its decorators', async () => {
    const [loop] = await loopsIn({
      'a/b.py':
        'class T:\n    @timed\n    def fit(self, data):\n        n = 0\n        for x in data:\n            self.loss.backward()\n        return n\n',
    });
    expect(loop?.name).toBe('T.fit');
    expect(loop?.function).toMatchObject({ startLine: 2, endLine: 7 });
    expect(loop?.text).toBe('    def fit(self, data):\n        # …\n        for x in data:\n            self.loss.backward()');
  });
});
