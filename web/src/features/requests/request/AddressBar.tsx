import { Autocomplete, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { messageOf } from '../../../api/api.ts'
import type { DraftForm } from '../../../forms/use-draft-form.ts'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { isCurl, useImport } from '../dialogs/use-import.ts'
import { usePlace } from '../place.tsx'
import type { RequestValues } from './request-values.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface AddressBarProps {
  form: DraftForm<RequestValues>
  folderId: string | null
  isReadOnly: boolean
}

/** Method and address. A pasted cURL command becomes a separate request. */
export const AddressBar = ({ form, folderId, isReadOnly }: AddressBarProps) => {
  const { addressOf } = usePlace()
  const navigate = useNavigate()
  const importInto = useImport(folderId)
  const importCommand = async (command: string) => {
    try {
      const { requests, problems } = await importInto(command, 'curl')
      for (const { reason } of problems.slice(0, 3)) toastError(`Left out: ${reason}`)
      const [first] = requests
      if (!first) return
      toast('Created a request from the cURL command.')
      await navigate({ to: addressOf(first.id) })
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  return (
    <>
      <Autocomplete
        aria-label="Method"
        data={METHODS}
        filter={({ options }) => options}
        readOnly={isReadOnly}
        spellCheck={false}
        maxLength={32}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        {...form.getInputProps('method')}
        onChange={(method) => form.setFieldValue('method', method.toUpperCase())}
      />
      <TextInput
        aria-label="Address"
        placeholder="https://{{host}}/api/users, or a cURL command"
        readOnly={isReadOnly}
        spellCheck={false}
        maxLength={16_384}
        {...form.getInputProps('url')}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (isReadOnly || !isCurl(pasted)) return
          event.preventDefault()
          void importCommand(pasted)
        }}
      />
    </>
  )
}
