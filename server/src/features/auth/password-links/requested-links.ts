import type { Clock } from '../../../platform/clock.ts'
import { sha256 } from '../../../platform/crypto.ts'

/**
 * How long a link works that was requested without being signed in. Its mails are counted for as long, so that there is
 * always either a working link in the mailbox or a mail left to send.
 */
export const REQUESTED_LINK_LIFETIME_MS = 60 * 60 * 1000
const MAILS_PER_LINK = 3

/** The account's newest link of its kind. */
export interface RequestedLink {
  id: string
  token_hash: Buffer
  expires_at: string
  mails: number
}

/**
 * Decides which mail a request for a link sends. A stranger can request one as well as the user (finding S36), so a
 * request never invalidates the link that was mailed before: while that works, it is mailed again. The third mail of a
 * link is its last: an account gets at most three mails an hour, unless the user uses the link.
 *
 * @param tokenOf derives the token of a link with the stored hash: if neither value of `SESSION_SECRET` made it, it is
 *   dead
 */
export const nextMail = (
  link: RequestedLink | undefined,
  tokenOf: (id: string, stored: Buffer) => string,
  clock: Clock,
): 'a new link' | 'the same link' | 'none' => {
  const works =
    link &&
    Date.parse(link.expires_at) > clock.now() &&
    sha256(tokenOf(link.id, link.token_hash)).equals(link.token_hash)
  if (!works) return 'a new link'
  return link.mails < MAILS_PER_LINK ? 'the same link' : 'none'
}
