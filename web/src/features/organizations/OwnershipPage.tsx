import { Button, Select, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, formErrors, useCommand } from '../../api.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/links.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { given, PasswordOrProvider, useProved } from '../../shell/Proof.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.ts'

type Member = Output<'listMembers'>['data'][number]

const DESCRIPTION =
  'The owner is the one person whom nobody can remove or change the role of. Only the owner can hand that on, and only here. Afterwards the new owner can, and you are an admin.'

export const OwnershipPage = () => {
  const organization = useOrganization()
  if (organization.role !== 'owner') return <Notice title="You have no access">Only the owner can hand the organization to somebody else.</Notice>
  return (
    <Page title="Ownership" layout="form" description={DESCRIPTION}>
      <Transfer />
    </Page>
  )
}

const Transfer = () => {
  const organization = useOrganization()
  const members = useQuery({ queryKey: [organization.id, 'listMembers', 'candidates'], queryFn: ({ signal }) => readCandidates(organization.id, signal) })
  if (members.isPending) return <ListSkeleton rows={3} />
  if (members.isError) return <QueryFailed error={members.error} onRetry={() => void members.refetch()} />
  const candidates = members.data
  if (candidates.length === 0) {
    return (
      <EmptyState title="There is nobody to hand it to" action={<ButtonLink to={paths.members(organization.slug)}>Go to the members</ButtonLink>}>
        The new owner has to be a member first: invite somebody.
      </EmptyState>
    )
  }
  return <TransferForm candidates={candidates} />
}

/** Everybody but the owner, read page by page. */
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
  const [userId, setUserId] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [asking, setAsking] = useState(false)
  const isProved = useProved(password)
  const chosen = candidates.find(({ id }) => id === userId)
  const transfer = useCommand(organization.id, 'transferOwnership', {
    onSuccess: async () => {
      toast(`${chosen?.name} owns ${organization.name} now.`)
      await cache.invalidateQueries()
      await router.navigate({ href: paths.members(organization.slug) })
    },
    onError: () => setAsking(false),
  })
  const errors = transfer.error ? formErrors(transfer.error, ['userId', 'password']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" align="flex-start">
        <Select
          label="New owner"
          placeholder="Choose a member"
          w="100%"
          searchable
          limit={50}
          nothingFoundMessage="No member matches"
          data={candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          value={userId}
          onChange={setUserId}
          error={errors.fields.userId}
        />
        <PasswordOrProvider description="To make sure that it is you." w="100%" value={password} onChange={setPassword} error={errors.fields.password} />
        <FormError message={errors.form} />
        <Button type="submit" color="red" disabled={!chosen || !isProved}>
          Transfer ownership
        </Button>
      </Stack>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => chosen && transfer.mutate({ body: { userId: chosen.id, ...given(password) } })}
        title={`Make ${chosen?.name ?? ''} the owner?`}
        confirmLabel="Make them the owner"
        loading={transfer.isPending}
      >
        <Text size="sm">
          {chosen?.name} ({chosen?.email}) will own {organization.name}, and you will be an admin. You cannot take this back yourself.
        </Text>
      </ConfirmDialog>
    </form>
  )
}
