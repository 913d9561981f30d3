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
  [
    'torch-distributed',
    'from torch import distributed\ndef average(m):\n    for p in m.parameters():\n        distributed.all_reduce(p.grad)\n',
  ],
  ['torch-distributed', 'import torch.distributed as dist\ndef mean(t):\n    dist.all_reduce(t)\nwhile busy():\n    mean(loss)\n'],
  [
    'H1',
    'import tensorflow as tf\nclass Net:\n    def run(self, op):\n        return self.sess.run(op)\nnet = Net()\nfor x in data:\n    net.run(x)\n',
  ],
  ['H2', 'import keras\nfrom keras.layers import Dense\ndef go(autoencoder):\n    autoencoder.fit(x, x)\n'],
  ['H2', 'import tensorflow as tf\nmodel = tf.keras.models.load_model("m")\nmodel.fit_generator(g)\n'],
  ['H3', 'import keras\nclass T:\n    def step(self, grads):\n        self.optimizer.apply(grads, self.model.trainable_variables)\n'],
  ['H3', 'import tensorflow.compat.v1 as tf\ntrain_op = tf.train.AdamOptimizer(0.1).minimize(loss)\n'],
  ['H3', 'from flax.training import train_state\nstate = train_state.TrainState.create(a=1)\nstate = state.apply_gradients(grads=g)\n'],
  ['H5', 'async def go(stream):\n    async for x in stream:\n        f(x).backward()\n'],
  [
    'H5',
    'class T:\n    def step(self, b):\n        self.f(b).backward()\n    def epoch(self):\n        while self.more():\n            self.step(1)\n',
  ],
  ['H5', 'def inner(b):\n    f(b).backward()\ndef outer(b):\n    inner(b)\nfor b in data:\n    outer(b)\n'],
  ['H6', 'for x in data:\n    self.loss_d.backward()\n'],
  ['H7', 'def go(train_loader):\n    for epoch in range(3):\n        train_loader.cuda()\n'],
  ['H8', 'class M(Base):\n    @decorated\n    def training_step(self, batch, index):\n        return 1\n'],
  ['accelerate', 'import lightning as L\nfabric = L.Fabric()\ndef step(loss):\n    fabric.backward(loss)\n'],
  ['deepspeed', 'import deepspeed\ndef step(model_engine, loss):\n    model_engine.backward(loss)\n    model_engine.step()\n'],
  ['lightning', 'from pytorch_lightning import Trainer\nTrainer(max_epochs=1).fit(model, loader)\n'],
  ['ignite', 'from ignite.engine import create_supervised_trainer\ntrainer = create_supervised_trainer(m, o, f)\ntrainer.run(data)\n'],
  ['ignite', 'from ignite.engine import Events\ndef go(trainer, data):\n    trainer.run(data)\n'],
  ['fastai', 'from fastai.text.all import text_classifier_learner\nlearn = text_classifier_learner(d)\nlearn.fine_tune(4)\n'],
  [
    'jax',
    'import jax\nfrom jax.example_libraries import optimizers\ninit, opt_update, get = optimizers.sgd(0.1)\ndef update(i, s, b):\n    return opt_update(i, jax.grad(f)(get(s), b), s)\n',
  ],
  ['jax', 'from flax import nnx\nimport optax\noptimizer = nnx.Optimizer(m, optax.adam(0.1))\ndef step(g):\n    optimizer.update(g)\n'],
  [
    'keras-train-step',
    'import tensorflow as tf\nclass G(tf.keras.Model):\n    @tf.function\n    def train_step(self, data):\n        return {}\n',
  ],
  ['tf-estimator', 'import tensorflow as tf\nc = tf.estimator.DNNClassifier(f)\nc.train(input_fn=g, steps=9)\n'],
  [
    'hf-trainer',
    'from trl import SFTTrainer\nclass Job:\n    def go(self):\n        self.trainer = SFTTrainer(self.model)\n        self.trainer.train()\n',
  ],
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
  [
    'setting up a process group',
    'import torch.distributed as dist\ndef setup():\n    dist.init_process_group("gloo")\n    dist.barrier()\n',
  ],
  ['broadcast of random states', 'import torch.distributed as dist\nfor t in types:\n    dist.broadcast(state(t), 0)\n'],
  ['barrier in a loop', 'import torch.distributed as dist\nwhile waiting():\n    dist.barrier()\n'],
  [
    'fit of a parameter that is a scaler',
    'import keras\ndef prepare(scaler, label_encoder):\n    scaler.fit(x)\n    label_encoder.fit(y)\n',
  ],
  [
    'run of an evaluator',
    'from ignite.engine import create_supervised_evaluator\nevaluator = create_supervised_evaluator(m)\nevaluator.run(data)\n',
  ],
  ['apply of a frame', 'import keras\nimport pandas as pd\nframe = pd.DataFrame()\nframe.apply(f)\n'],
  ['list and dict update beside jax', 'import jax\nconfig = {}\nconfig.update(a=1)\nmetrics.update(loss=2)\n'],
  [
    'step of an inner function of another kind',
    'def make():\n    def update(b):\n        f(b).backward()\n    return update\nfor b in data:\n    meter.update(b)\n',
  ],
  [
    'a method of another class of the same name',
    'class A:\n    def learn(self):\n        f().backward()\nclass B:\n    def learn(self):\n        pass\nb = B()\nfor x in data:\n    b.learn()\n',
  ],
  ['training of an outer trainer of another kind', 'import automat\ntrainer = automat.Coach()\nfor x in data:\n    trainer.step()\n'],
  [
    'env.step beside an agent',
    'import torch\nclass Agent:\n    def step(self, b):\n        f(b).backward()\ndef play(env):\n    while True:\n        env.step(1)\n',
  ],
  ['train_and_evaluate of the project', 'import tensorflow as tf\nfrom job import train_and_evaluate\ntrain_and_evaluate(config)\n'],
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

describe('calls between files', () => {
  const STEP = 'def learn(batch):\n    f(batch).backward()\n';
  const AGENT = 'class Agent:\n    def learn(self, batch):\n        f(batch).backward()\n';

  it.each<[title: string, files: Record<string, string>, loops: [string, string[]][]]>([
    ['by an imported name', { 'a.py': STEP, 'run.py': 'from a import learn\nfor x in y:\n    learn(x)\n' }, [['run.py', ['learn']]]],
    ['by another name', { 'a.py': STEP, 'run.py': 'from a import learn as l\nfor x in y:\n    l(x)\n' }, [['run.py', ['learn']]]],
    [
      'by its module',
      { 'p/__init__.py': '', 'p/a.py': STEP, 'run.py': 'from p import a\nfor x in y:\n    a.learn(x)\n' },
      [['run.py', ['learn']]],
    ],
    [
      'handed on by a package',
      { 'p/__init__.py': 'from .a import learn\n', 'p/a.py': STEP, 'run.py': 'from p import learn\nfor x in y:\n    learn(x)\n' },
      [['run.py', ['learn']]],
    ],
    ['in a comprehension', { 'a.py': STEP, 'run.py': 'from a import learn\nz = [learn(x) for x in y]\n' }, [['run.py', ['learn']]]],
    [
      'through one more function, of a third file',
      {
        'a.py': AGENT,
        'b.py': 'from a import Agent\nagent = Agent()\ndef once(x):\n    agent.learn(x)\n',
        'run.py': 'import b\nwhile True:\n    b.once(1)\n',
      },
      [['run.py', ['once', 'Agent.learn']]],
    ],
    [
      'not through two more',
      { 'a.py': `${STEP}def b(x):\n    learn(x)\ndef c(x):\n    b(x)\n`, 'run.py': 'from a import c\nfor x in y:\n    c(x)\n' },
      [],
    ],
    [
      'not of a name that was not imported',
      { 'a.py': STEP, 'run.py': 'from a import other\nfrom z import learn\nfor x in y:\n    learn(x)\n' },
      [],
    ],
    [
      'not of an inner function',
      {
        'a.py': 'def m():\n    def learn(b):\n        f(b).backward()\n    return learn\n',
        'run.py': 'from a import m\nfor x in y:\n    q.learn(x)\n',
      },
      [],
    ],
    [
      'not of a class that comes from elsewhere',
      { 'a.py': AGENT, 'run.py': 'from a import Agent\nimport z\nw = z.Walker()\nfor x in y:\n    w.learn(x)\n' },
      [],
    ],
  ])('%s', async (_title, files, expected) => {
    const found = await loopsIn(files);
    expect(found.map((loop) => [loop.file, loop.helpers.map((helper) => helper.name)])).toEqual(expected);
  });
});

describe('steps', () => {
  const STEP = 'import jax, optax\ndef step(p, g):\n    return optax.apply_updates(p, g)\n';

  it.each([
    ['called in a loop', `${STEP}def train(p):\n    for g in data:\n        p = step(p, g)\n`],
    ['compiled first', `${STEP}def train(p):\n    fast = jax.jit(step)\n    for g in data:\n        p = fast(p, g)\n`],
    [
      'compiled and given arguments',
      `${STEP}import functools\nfast = jax.pmap(functools.partial(step, g=1))\ndef train(p):\n    while p:\n        p = fast(p)\n`,
    ],
  ])('are shown with the loop that repeats them: %s', async (_title, text) => {
    const loops = await loopsIn({ 'train.py': text });
    expect(loops.map((loop) => [loop.name, loop.rules, loop.helpers.map((helper) => helper.name)])).toEqual([['train', ['jax'], ['step']]]);
  });

  it('stand for themselves where nobody repeats them, and where a loop of another file does', async () => {
    expect((await loopsIn({ 'train.py': STEP })).map((loop) => loop.name)).toEqual(['step']);
    const loops = await loopsIn({ 'a.py': STEP, 'b.py': 'from a import step\nfor g in data:\n    step(p, g)\n' });
    expect(loops.map((loop) => [loop.file, loop.name])).toEqual([
      ['a.py', 'step'],
      ['b.py', 'b'],
    ]);
  });
});
