import { TextInput, type TextInputProps } from '@mantine/core'

/** Hosts that receive the secrets of an environment or a folder, as one line. */
export const HostsField = (props: TextInputProps) => (
  <TextInput
    label="Send secrets only to"
    description="Hosts, separated by commas; *.example.com matches every name below it. Empty: any host that requests may go to."
    placeholder="api.example.com, *.test.example.com"
    maxLength={5_000}
    maw={480}
    spellCheck={false}
    {...props}
  />
)
