import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { safeReturn } from '../../paths.ts'
import { SignInForm } from './SignInForm.tsx'

/** Signs in with a password, then redirects to `next`. */
export const PasswordDoor = ({ email, next }: { email?: string; next?: string | undefined }) => {
  const router = useRouter()
  const cache = useQueryClient()
  return (
    <SignInForm
      {...(email !== undefined && { email })}
      onSignedIn={() => {
        cache.clear()
        void router.navigate({ href: safeReturn(next), replace: true })
      }}
    />
  )
}
