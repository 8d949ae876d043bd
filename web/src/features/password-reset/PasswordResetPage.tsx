import { useMailedToken } from '../../shell/mailed-token.ts'
import { RequestReset } from './RequestReset.tsx'
import { SetPassword } from './SetPassword.tsx'

/** With the token of a mailed link: a new password. Without: asks for such a link. */
export const PasswordResetPage = () => {
  const token = useMailedToken()
  return token ? <SetPassword key={token} token={token} /> : <RequestReset />
}
