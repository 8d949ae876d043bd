import { useMailedToken } from '../../shell/routing/mailed-token.ts'
import { RequestReset } from './RequestReset.tsx'
import { SetPassword } from './SetPassword.tsx'

/** With the token of an e-mail link: sets a new password. Without: requests such a link. */
export const PasswordResetPage = () => {
  const token = useMailedToken()
  return token ? <SetPassword key={token} token={token} /> : <RequestReset />
}
