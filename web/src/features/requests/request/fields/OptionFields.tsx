import { NumberInput, Stack, Switch } from '@mantine/core'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import type { Options } from '../request-values.ts'

const REDIRECTS: readonly { value: Options['followRedirects']; label: string }[] = [
  { value: 'no', label: 'Do not follow' },
  { value: 'same-host', label: 'Follow on the same host' },
  { value: 'yes', label: 'Follow wherever the scope allows' },
]
const VERSIONS: readonly { value: Options['httpVersion']; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: '1.1', label: 'HTTP/1.1' },
]

/** Send options of a request. */
export const OptionFields = ({ value, onChange }: { value: Options; onChange: (value: Options) => void }) => (
  <Stack gap="sm" maw={480}>
    <Choice
      label="Redirects"
      description="Each one is checked against the scope; credentials and cookies are dropped when the origin changes."
      data={REDIRECTS}
      value={value.followRedirects}
      onChange={(chosen) => onChange({ ...value, followRedirects: chosen })}
    />
    {value.followRedirects !== 'no' && (
      <NumberInput
        label="Maximum redirects"
        min={0}
        max={50}
        allowDecimal={false}
        value={value.maxRedirects}
        onChange={(next) => onChange({ ...value, maxRedirects: Number(next) })}
      />
    )}
    <NumberInput
      label="Timeout"
      description="For all redirects and the body"
      suffix=" ms"
      thousandSeparator=","
      min={1}
      max={120_000}
      allowDecimal={false}
      value={value.timeoutMs}
      onChange={(next) => onChange({ ...value, timeoutMs: Number(next) })}
    />
    <Choice
      label="Version"
      data={VERSIONS}
      value={value.httpVersion}
      onChange={(chosen) => onChange({ ...value, httpVersion: chosen })}
    />
    <Switch
      label="Verify the certificate"
      checked={value.verifyTls}
      onChange={(event) => onChange({ ...value, verifyTls: event.currentTarget.checked })}
    />
  </Stack>
)
