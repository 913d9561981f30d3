"""The inner init: starts what it is told, reaps what ends, reports both. It decides nothing."""

import os
import resource
import select
import signal

# Linux's customary soft limit of open files: what a program meets on an ordinary machine.
_OPEN_FILES = 1024


def close_others(keep):
    """Closes every descriptor but the standard ones and `keep`, and points the standard ones at /dev/null."""
    null = os.open(os.devnull, os.O_RDWR)
    for target in (0, 1, 2):
        os.dup2(null, target)
    highest = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    highest = 65536 if highest == resource.RLIM_INFINITY else highest
    os.closerange(3, keep)
    os.closerange(keep + 1, highest)


def serve(channel, isolation):
    """Runs until the supervisor closes its end; then everything that still lives is killed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    wake_read, wake_write = os.pipe()
    for descriptor in (wake_read, wake_write):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    channel.settimeout(None)
    channel.send({"ready": True, "isolation": isolation})
    running = {}
    poller = select.poll()
    poller.register(channel.fileno(), select.POLLIN)
    poller.register(wake_read, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poller.poll(1000)]
        if wake_read in ready:
            os.read(wake_read, 4096)
        if channel.fileno() in ready:
            message, descriptors = channel.receive()
            if message is None:
                break
            _start(message, descriptors, running, channel)
        _reap(running, channel)
    _kill_everything(channel)


def _start(message, descriptors, running, channel):
    try:
        pid = os.fork()
    except OSError as error:
        channel.send({"failed": message["id"], "error": str(error)})
        return
    if pid == 0:
        _become(message, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    running[pid] = message["id"]
    channel.send({"started": message["id"], "pid": pid})


def _become(message, descriptors):
    """The candidate's first moments: own session, own streams, default signals, limits, then exec."""
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        os.dup2(descriptors[0], 1)
        os.dup2(descriptors[1], 2)
        os.closerange(3, 4096)
        _default_signals()
        _limits(message["limits"])
        os.chdir(message["cwd"])
        os.umask(0o022)
        os.execvpe(message["argv"][0], message["argv"], message["env"])
    except BaseException as error:
        try:
            os.write(2, ("cannot start %s: %s\n" % (message["argv"][0], error)).encode())
        finally:
            os._exit(127)


def _default_signals():
    """Python ignores SIGPIPE and SIGXFSZ, which exec would hand on."""
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            try:
                signal.signal(number, signal.SIG_DFL)
            except (OSError, ValueError):
                pass
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _limits(limits):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits["fileBytes"], limits["fileBytes"]))
    if limits["tasks"] is not None:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["tasks"], limits["tasks"]))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    soft = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        os.setpriority(os.PRIO_PROCESS, 0, limits["nice"])
    except OSError:
        pass
    try:
        with open("/proc/self/oom_score_adj", "w") as handle:
            handle.write("800")
    except OSError:
        pass


def _reap(running, channel):
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid in running:
            _report(running.pop(pid), status, usage, channel)


def _report(identifier, status, usage, channel):
    killed = os.WIFSIGNALED(status)
    channel.send(
        {
            "exit": identifier,
            "code": None if killed else os.WEXITSTATUS(status),
            "signal": _signal_name(os.WTERMSIG(status)) if killed else None,
            "cpuSeconds": usage.ru_utime + usage.ru_stime,
            "peakRssBytes": usage.ru_maxrss * 1024,
        }
    )


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIG%d" % number


def _kill_everything(channel):
    """As PID 1 the exit alone kills all; as a plain process the descendants are hunted until none is left."""
    if os.getpid() != 1:
        from . import processes

        processes.kill_descendants(os.getpid())
