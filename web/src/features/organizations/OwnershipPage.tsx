import { Select, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { given, PasswordOrProvider, useProved } from '../../shell/proof/Proof.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'

type Member = Output<'listMembers'>['data'][number]

const DESCRIPTION =
  'No one can remove the owner or change their role. Only the owner can transfer ownership, and only here. After that you are an admin.'

export const OwnershipPage = () => {
  const organization = useOrganization()
  if (organization.role !== 'owner')
    return <Notice title="You have no access">Only the owner can transfer the organization.</Notice>
  return (
    <Page title="Ownership" layout="form" description={DESCRIPTION}>
      <Transfer />
    </Page>
  )
}

const Transfer = () => {
  const organization = useOrganization()
  const members = useQuery({
    queryKey: [organization.id, 'listMembers', 'candidates'],
    queryFn: ({ signal }) => readCandidates(organization.id, signal),
  })
  return (
    <QueryView query={members} skeleton={<ListSkeleton rows={3} />}>
      {(candidates) => (candidates.length === 0 ? <NobodyElse /> : <TransferForm candidates={candidates} />)}
    </QueryView>
  )
}

const NobodyElse = () => {
  const { slug } = useOrganization()
  return (
    <EmptyState
      title="No one to transfer it to"
      action={<ButtonLink to={paths.members(slug)}>Go to the members</ButtonLink>}
    >
      The new owner must be a member: invite someone first.
    </EmptyState>
  )
}

/** All members except the owner, read page by page. */
const readCandidates = async (organizationId: string, signal: AbortSignal): Promise<Member[]> => {
  const found: Member[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await call(organizationId, 'listMembers', { query: { page, perPage: 100 } }, { signal })
    found.push(...data.filter(({ role }) => role !== 'owner'))
    if (page >= meta.totalPages) return found
  }
}

const TransferForm = ({ candidates }: { candidates: readonly Member[] }) => {
  const organization = useOrganization()
  const router = useRouter()
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const send = useSend(organization.id, 'transferOwnership')
  const form = useDraftForm({
    draft: `organization/${organization.id}/ownership`,
    saved: { values: EMPTY },
    secrets: ['password'],
    send: ({ userId, password }) => send({ body: { userId: userId ?? '', ...given(password) } }),
    onSaved: async () => {
      toast(`${chosen?.name} owns ${organization.name} now.`)
      await cache.invalidateQueries()
      await router.navigate({ href: paths.members(organization.slug) })
    },
  })
  const chosen = candidates.find(({ id }) => id === form.values.userId)
  const isProved = useProved(form.values.password)
  return (
    <>
      <PageForm
        form={form}
        onSubmit={() => setAsking(true)}
        submitLabel="Transfer ownership"
        danger
        disabled={!chosen || !isProved}
      >
        <Select
          label="New owner"
          placeholder="Choose a member"
          searchable
          limit={50}
          nothingFoundMessage="No member matches"
          data={candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          {...form.getInputProps('userId')}
        />
        <PasswordOrProvider description="To confirm that it is you." {...form.getInputProps('password')} />
      </PageForm>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void form.save().finally(() => setAsking(false))}
        title={`Make ${chosen?.name ?? ''} the owner?`}
        confirmLabel="Make them the owner"
        loading={form.isSaving}
      >
        <Text size="sm">
          {chosen?.name} ({chosen?.email}) will own {organization.name}, and you will be an admin. You can't undo this
          yourself.
        </Text>
      </ConfirmDialog>
    </>
  )
}

const EMPTY = { userId: null as string | null, password: '' }
