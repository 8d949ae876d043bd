import { Anchor, Stack } from '@mantine/core'
import { useState } from 'react'
import { supportsPasskeys } from '../proof/passkeys.ts'
import { CodeForm } from './CodeForm.tsx'
import { PasskeyForm } from './PasskeyForm.tsx'
import type { SecondFactors, SignedIn } from './signed-in.ts'

type Way = 'passkey' | 'app' | 'recovery-code'

const WORDS: Record<Way, string> = {
  passkey: 'Use a passkey',
  app: 'Use the authenticator app',
  'recovery-code': 'Use a recovery code',
}

interface SecondStepProps {
  /** Factors that the account has set up. */
  secondFactors: SecondFactors
  onSignedIn: (user: SignedIn) => void
  onRestart: () => void
}

/** Second step of sign-in, by one of the account's factors; passkeys first. */
export const SecondStep = ({ secondFactors, onSignedIn, onRestart }: SecondStepProps) => {
  const ways: Way[] = [
    ...(secondFactors.includes('passkey') && supportsPasskeys() ? (['passkey'] as const) : []),
    ...(secondFactors.includes('app') ? (['app'] as const) : []),
    'recovery-code',
  ]
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery-code')
  return (
    <Stack gap="sm">
      {way === 'passkey' ? (
        <PasskeyForm onSignedIn={onSignedIn} />
      ) : (
        <CodeForm key={way} usesRecoveryCode={way === 'recovery-code'} onSignedIn={onSignedIn} />
      )}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Anchor key={other} component="button" type="button" size="sm" onClick={() => setWay(other)}>
            {WORDS[other]}
          </Anchor>
        ))}
      <Anchor component="button" type="button" size="sm" onClick={onRestart}>
        Start again
      </Anchor>
    </Stack>
  )
}
