// L14: invitations while the mail server is down for an hour, like the fault tests, many more.
import { runMailOutage } from '../../server/test/faults/outside/mail-outage.ts'
import { allAtMost, type Bench, type Measured, none } from '../lib/figure.ts'

export const title = 'A mail server that is away for an hour: nothing lost, nothing twice (count: invitations)'
export const count = 1_000

export const measure = async ({ stage, database, count, note }: Bench): Promise<Measured[]> => {
  const { refused, attempts, lost, twice, deliveredMs } = await runMailOutage(stage, await database(), count)
  note(`${attempts} attempts while the mail server was away`)
  return [
    none('invitations refused meanwhile', refused),
    none('mails lost', lost),
    none('mails sent twice', twice),
    allAtMost('all delivered after', 180, 's', [deliveredMs / 1_000]),
  ]
}
