import { Alert, Button, Group, Stack } from '@mantine/core'
import { useHold } from '../../../shell/proof/HeldDialog.tsx'
import { IconDownload } from '../../../ui/icons.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import classes from './second-factor.module.css'

/** Shown when the user tries to close the dialog before confirming that the codes are stored. */
export const REMINDER = 'The recovery codes are shown only once. Store them, then confirm below.'

/** Recovery codes, shown once. */
export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  useHold()
  const text = codes.join('\n')
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">
        Store these somewhere safe, not on your phone. Each code works once if you lose the app. They are not shown
        again.
      </Alert>
      <ul className={classes.codes} aria-label="Recovery codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={text} label="Copy codes" />
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => saveFile(`${text}\n`, 'text/plain', 'sortie-recovery-codes.txt')}
        >
          Save as a file
        </Button>
        <Button onClick={onClose}>I have stored them</Button>
      </Group>
    </Stack>
  )
}
