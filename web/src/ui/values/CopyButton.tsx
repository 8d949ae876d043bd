import { Button, CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '../page-icons.tsx'

/** Copies a text to the clipboard and confirms it. */
export const CopyButton = ({
  value,
  label = 'Copy',
  onCopied,
}: {
  value: string
  label?: string
  onCopied?: () => void
}) => (
  <Copy value={value} timeout={2000}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => {
          copy()
          onCopied?.()
        }}
        aria-live="polite"
      >
        {copied ? 'Copied' : label}
      </Button>
    )}
  </Copy>
)
