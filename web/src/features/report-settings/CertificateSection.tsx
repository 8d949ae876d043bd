import { Button, FileInput, PasswordInput, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Section } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Certificate = NonNullable<Output<'getSigningCertificate'>['data']['certificate']>

/** The certificate that signs the PDF files of editions. */
export const CertificateSection = () => {
  const { id } = useOrganization()
  const [open, setOpen] = useState<'upload' | 'remove'>()
  const read = useQuery(query(id, 'getSigningCertificate'))
  const certificate = read.data?.data.certificate
  const close = () => setOpen(undefined)
  const remove = useApiMutation(id, 'deleteSigningCertificate', {
    invalidates: [[id, 'getSigningCertificate']],
    onSuccess: close,
  })
  return (
    <Section
      title="Signature"
      description="A delivery can sign its PDF file with a certificate of the organization."
      actions={
        <>
          {certificate && (
            <Button variant="default" onClick={() => setOpen('remove')}>
              Remove certificate
            </Button>
          )}
          <Button variant="default" onClick={() => setOpen('upload')}>
            {certificate ? 'Replace certificate' : 'Upload certificate'}
          </Button>
        </>
      }
    >
      <QueryView query={read} skeleton={<ListSkeleton rows={1} />}>
        {({ data }) =>
          data.certificate ? (
            <Shown certificate={data.certificate} />
          ) : (
            <Text size="sm" c="dimmed">
              No certificate yet.
            </Text>
          )
        }
      </QueryView>
      {open === 'upload' && (
        <Dialog opened onClose={close} title="Upload a certificate">
          <UploadForm onClose={close} />
        </Dialog>
      )}
      <ConfirmDialog
        opened={open === 'remove'}
        onClose={close}
        onConfirm={() => remove.mutate({})}
        title="Remove the certificate?"
        confirmLabel="Remove certificate"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes it with its private key. Editions that it signed stay as they are.
      </ConfirmDialog>
    </Section>
  )
}

const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

const Shown = ({ certificate }: { certificate: Certificate }) => {
  const { subject, issuer, notAfter, createdBy, createdAt } = certificate
  const isExpired = Date.parse(notAfter) <= Date.now()
  return (
    <div>
      <Text fw={500}>{subject}</Text>
      <Text size="sm" c="dimmed" component="div">
        Issued by {issuer} · {isExpired ? 'Expired on' : 'Valid until'} {dayOf(notAfter)} · Uploaded{' '}
        <TimeAgo iso={createdAt} />
        {createdBy && ` by ${createdBy.name}`}
      </Text>
    </div>
  )
}

interface Values extends Record<string, unknown> {
  file: File | null
  passphrase: string
}

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const UploadForm = ({ onClose }: { onClose: () => void }) => {
  const { id } = useOrganization()
  const send = useSend(id, 'uploadSigningCertificate', [[id, 'getSigningCertificate']])
  const form = useDraftForm<Values, Output<'uploadSigningCertificate'>>({
    saved: { values: { file: null, passphrase: '' } },
    secrets: ['file', 'passphrase'],
    send: async ({ file, passphrase }) => send({ body: { pkcs12: file ? await base64Of(file) : '', passphrase } }),
    onSaved: ({ data }) => {
      toast(`${data.subject} signs PDF files from now on.`)
      onClose()
    },
  })
  const { file } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Upload"
      onCancel={onClose}
      disabled={file === null ? 'Choose a file first.' : file.size > MAX_BYTES ? 'A file has at most 64 KiB.' : false}
    >
      <FileInput
        label="PKCS#12 file"
        description="With the private key and the certificates, .p12 or .pfx."
        placeholder="Choose a file"
        accept=".p12,.pfx,application/x-pkcs12"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        error={form.errors['pkcs12']}
        value={file}
        onChange={(chosen) => form.setValues({ file: chosen })}
      />
      <PasswordInput
        label="Passphrase"
        description="Stored encrypted with the key, and never shown again."
        autoComplete="off"
        {...form.getInputProps('passphrase')}
      />
    </DraftDialogForm>
  )
}

const MAX_BYTES = 65_536
