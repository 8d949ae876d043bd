import { goLive as end, type Pending, reportSafeMode } from '../../features/instance/safe-mode.service.ts'
import { type Command, exactly, OPERATOR, print } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

/** Ends safe mode: running servers notice within seconds. */
export const goLive: Command = async ({ operands, sendWaitingMail }) => {
  exactly(operands, 0)
  await withPlatform(async (platform) => {
    const { isOn, pending, reason } = await reportSafeMode(platform)
    if (!isOn) return print('This instance is already live.')
    const { heldMails, releasedMails } = await end(platform, OPERATOR, sendWaitingMail)
    print(`This instance is live. It was in safe mode: ${reason}`)
    for (const line of describe(pending)) print(line)
    if (sendWaitingMail && pending.oldMails > 0)
      print(`${pending.oldMails} emails from before safe mode are sent now; ${releasedMails} of them were held.`)
    if (heldMails > 0)
      print(
        `${heldMails} emails from before safe mode are held now: under Instance, Mail outbox, each can be sent again.`,
      )
  })
}

const describe = ({ newMails, schedules, scans }: Pending): string[] => [
  ...(newMails > 0 ? [`${newMails} emails written in safe mode are sent now.`] : []),
  ...(schedules > 0 ? [`${schedules} schedules resume, each at its next due time.`] : []),
  ...(scans > 0 ? [`${scans} scans from before safe mode end without running.`] : []),
]
