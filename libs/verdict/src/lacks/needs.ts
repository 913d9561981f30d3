import type { LackReason, Need } from '@reenact/domain';

const ELSEWHERE = 'Copy bundle.tar to such a machine and run `reenact replay bundle.tar` there, or unpack it and run `sh run.sh`';

const CONTRACTS: Record<LackReason, Pick<Need, 'form' | 'give'>> = {
  hardware: { form: 'A machine where the framework sees the device', give: `${ELSEWHERE}.` },
  platform: { form: 'A machine with that operating system and the versions in environment.lock', give: `${ELSEWHERE}.` },
  data: {
    form: 'The same layout, column names, shapes and types; made-up values will do and are told apart in the grade',
    give: 'Put it where the project looks for it, inside the folder given with --subject, and run again.',
  },
  dependency: {
    form: 'A wheel for this Python, or an interpreter in which it is installed already',
    give: 'Name it with --with NAME==VERSION, or give such an interpreter with --python PATH; elsewhere, run the bundle.',
  },
  licence: {
    form: 'The files themselves, from somebody who may use them; Reenact accepts no licence and takes no token',
    give: 'Put the files into the folder given with --subject and point the project at them, or run the bundle where they are.',
  },
  service: {
    form: 'A recorded answer or a stand-in that runs inside the script: trials have no network and no keys',
    give: 'Give a script that brings the stand-in with `reenact judge --script`, or run the bundle by hand where the service is.',
  },
};

/** The contract of one missing thing. */
export function needOf(reason: LackReason, what: string): Need {
  return { reason, what, ...CONTRACTS[reason] };
}
