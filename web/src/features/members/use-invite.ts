import type { Input } from '@sortie/client/calls.ts'
import { ConnectionError } from '@sortie/client/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, isRefused, messageOf, reportFailure } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { readAddresses } from './addresses.ts'

export type InvitedRole = Input<'inviteMember'>['body']['role']

export interface Refusal {
  /** The address, or the invalid entry. */
  entry: string
  reason: string
}

const UNREADABLE = 'This is not an email address.'
const UNANSWERED = 'No response, so it may have been sent. Check the invitations before you send it again.'

/**
 * Invites everyone in a text, one after another. Each entry is either sent or returned with the reason; duplicates are
 * sent once.
 */
export const useInvite = () => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const [sent, setSent] = useState(0)
  const send = async ({ text, role }: { text: string; role: InvitedRole }): Promise<Refusal[]> => {
    const { addresses, repeated, unreadable } = readAddresses(text)
    const refused: Refusal[] = []
    let stopped: string | undefined
    for (const [index, email] of addresses.entries()) {
      setSent(index + 1)
      if (stopped) {
        refused.push({ entry: email, reason: stopped })
        continue
      }
      try {
        await call(organization.id, 'inviteMember', { body: { email, role } }, { retries: 0 })
      } catch (error) {
        reportFailure(error)
        refused.push({ entry: email, reason: error instanceof ConnectionError ? UNANSWERED : messageOf(error) })
        stopped = reasonToStop(error)
      }
    }
    void cache.invalidateQueries({ queryKey: [organization.id, 'listInvitations'] })
    const count = addresses.length - refused.length
    if (count > 0) toast(describeSent(count, repeated))
    return [...refused, ...unreadable.map((entry) => ({ entry, reason: UNREADABLE }))]
  }
  return { send, sent }
}

/** Reason why the remaining addresses are not tried. */
const reasonToStop = (error: unknown): string | undefined => {
  if (error instanceof ConnectionError) return 'Not sent: the server cannot be reached.'
  if (isRefused(error, 'UNAUTHORIZED')) return 'Not sent: your session has ended.'
  return undefined
}

const describeSent = (count: number, repeated: number): string => {
  const invitations = count === 1 ? 'The invitation is on its way.' : `${count} invitations are on their way.`
  if (repeated === 0) return invitations
  return `${invitations} ${repeated === 1 ? 'One address was' : `${repeated} addresses were`} listed more than once.`
}
