import { openSession, requireEngagement } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { EXIT, usageError } from '../program/exit.ts'
import { note, printJson, printTable, readLines } from '../program/terminal.ts'
import { type ScopeCheck, withScope } from './ask-scope.ts'

/** `sortie check`: tells whether values are in scope. */
export const check: Command = {
  name: 'check',
  usage: 'check VALUE ... | -  [--json] [--engagement ID]',
  summary: 'Tell whether addresses, names, networks and URLs are in scope, each with the rule.',
  details:
    'With - the values are read from standard input, one per line. Exit code 0: all are in scope; 3: at least one is out; 4: caution, or no rule covers a value; 2: a value is not valid. If the server cannot be reached, the rules that this machine stored in the last 24 hours decide; without them: 8.',
  options: {
    json: { type: 'boolean', about: 'print one JSON object per line' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text }) => {
    const given = positionals.filter((value) => value !== '-')
    const values = positionals.includes('-') ? [...given, ...(await readLines())] : given
    if (values.length === 0) throw usageError('Give values to check, or - to read them from standard input.')
    const session = openSession(environment)
    const engagementId = requireEngagement(session, text('engagement'))
    const { decided } = await withScope(environment, session, engagementId, (scope) => scope.ask(values))
    const { checks, engagement } = decided
    if (flag('json')) for (const each of checks) printJson(each)
    else printTable(checks.map(({ verdict, value, reason }) => [verdict, value, reason]))
    if (!engagement.open && engagement.reason !== null) note(`nothing may be sent now: ${engagement.reason}`)
    return exitCodeOf(checks)
  },
}

const exitCodeOf = (checks: readonly ScopeCheck[]): number => {
  const has = (verdict: ScopeCheck['verdict']) => checks.some((each) => each.verdict === verdict)
  if (has('invalid')) return EXIT.usage
  if (has('out')) return EXIT.outOfScope
  return has('caution') || has('unknown') ? EXIT.caution : EXIT.ok
}
