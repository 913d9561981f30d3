import type { Facet, Finding } from '@reenact/domain';
import { notShown, shownTrials } from '../arm-facts.js';
import { claimsException, observedNames, textMatchers } from '../claimed-signal.js';
import { collectEmissions, collectObservations } from '../emissions.js';
import { FROM_SOURCE, has, type Labels } from '../labels.js';
import { answered, placeOf, type Rule, type RuleInput, type ScriptPlace, suspicion } from '../rule.js';

const CODE = 'decides-from-source';

/** The script reads the subject's text and prints, raises or exits by what it finds there. The control reads a changed text, so it cannot refute. */
export const decidesFromSource: Rule = {
  code: CODE,
  check(input) {
    const emissions = collectEmissions(input.script);
    const observations = collectObservations(emissions);
    return input.facets.flatMap((facet) => {
      const names = facet.oracles.flatMap((oracle) => observedNames(oracle) ?? []);
      const matchers = textMatchers(facet);
      return [
        ...observations
          .filter((site) => names.includes(site.name ?? '') && isDecided(site.labels))
          .map((site) => at(facet, site.emission.call)),
        ...emissions
          .filter((site) => isDecided(site.labels) && matchers.some((matches) => matches(site.template.text)))
          .map((site) => at(facet, site.call)),
        ...raised(facet, input),
        ...exited(facet, input),
      ];
    });
  },
  confirm(finding, input) {
    if (shownTrials(input, finding.facet).length === 0) return notShown(finding);
    return answered(finding, 'finding', 'what is shown depends on the text of the subject, not on what it does');
  },
};

function isDecided(labels: Labels): boolean {
  return has(labels, FROM_SOURCE);
}

function raised(facet: Facet, input: RuleInput): Finding[] {
  return input.script.statements.flatMap(({ node, source, labels, context }) => {
    if (node.type !== 'raise_statement' && node.type !== 'assert_statement') return [];
    const type = node.type === 'assert_statement' ? 'AssertionError' : (/^[\w.]+/.exec(node.namedChild(0)?.text ?? '')?.[0] ?? '');
    return isDecided(labels | context) && claimsException(facet, type, null) !== 'no' ? [at(facet, { node, source })] : [];
  });
}

/** A status, where one is claimed. */
function exited(facet: Facet, input: RuleInput): Finding[] {
  if (!facet.oracles.some((oracle) => oracle.kind === 'exit')) return [];
  return input.script.calls
    .filter((call) => call.kind === 'exits' && isDecided(call.arguments | call.context))
    .map((call) => at(facet, call));
}

function at(facet: Facet, place: ScriptPlace): Finding {
  return suspicion(CODE, "the text of the subject's files decides over the claimed signal", { ...placeOf(place), facet: facet.id });
}
