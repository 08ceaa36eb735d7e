import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { useSwitchOrganization } from '../../../session/use-switch-organization.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Form } from '../../../ui/form.tsx'
import { List } from '../../../ui/list/list.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { CreateOrganizationDialog } from './create-organization-dialog.tsx'
import { FormatsSection } from './formats-section.tsx'
import { MapSection } from './map-section.tsx'
import { OrganizationsBelow } from './organizations-below.tsx'
import { RequiredTwoFactor } from './required-two-factor.tsx'
import { RetentionSection } from './retention-section.tsx'
import { VerdictSection } from './verdict-section.tsx'

type Organization = Answer<'GET /organization'>['data']

export function OrganizationPage() {
  const { organization } = useSession()
  const { page } = useSearch({ from: '/shell/settings/organization' })
  const { data, error, refetch } = useApi('GET /organization', {})
  const mayManage = useMay('manage_account')
  const Shown = mayManage ? OrganizationForm : OrganizationFacts
  return (
    <SettingsPage title={t('Organization')} description={t('ID {id}', { id: organization.id })}>
      <Card title={t('Name, address and time zone')} note={t('Every member sees them.')}>
        {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingLines count={3} />}
        {data && <Shown key={data.data.id} organization={data.data} />}
      </Card>
      <RequiredTwoFactor />
      <FormatsSection />
      <VerdictSection />
      <RetentionSection />
      <MapSection />
      <OwnOrganizations />
      <OrganizationsBelow page={page ?? 1} />
    </SettingsPage>
  )
}

function OrganizationFacts({ organization }: { organization: Organization }) {
  const { name, address_line_1, address_line_2, account } = organization
  return (
    <Facts
      rows={[
        [t('Name'), name],
        [t('Address'), [address_line_1, address_line_2].filter(Boolean).join(', ') || undefined],
        [t('Time zone'), account.timezone_format],
      ]}
    />
  )
}

function OrganizationForm({ organization }: { organization: Organization }) {
  const { name, address_line_1, address_line_2, account } = organization
  const draft = useDraft('organization', {
    name,
    address_line_1: address_line_1 ?? '',
    address_line_2: address_line_2 ?? '',
    timezone_format: account.timezone_format,
  })
  const form = useForm({ initialValues: draft.start, onValuesChange: draft.keep })
  const change = useAction('PATCH /organization', {
    invalidates: ['GET /organization', 'GET /auth/session'],
  })
  const send = async () => {
    await change.mutateAsync({ body: form.getValues() })
    draft.forget()
    tellSuccess(t('The organization is changed.'))
  }
  return (
    <Form action={t('Save')} needs="manage_account" onSubmit={send}>
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={form.setValues} />
          <TextInput
            label={t('Name')}
            required
            {...form.getInputProps('name')}
            error={errorOf('name')}
          />
          <TextInput
            label={t('Address')}
            {...form.getInputProps('address_line_1')}
            error={errorOf('address_line_1')}
          />
          <TextInput
            label={t('Second line of the address')}
            {...form.getInputProps('address_line_2')}
            error={errorOf('address_line_2')}
          />
          <TextInput
            label={t('Time zone')}
            description={t(
              'Local times in the codecs of your device types follow it, as Europe/Lisbon.',
            )}
            required
            {...form.getInputProps('timezone_format')}
            error={errorOf('timezone_format')}
          />
        </>
      )}
    </Form>
  )
}

/** The organizations of the user, with a way into each, and to a new one. */
function OwnOrganizations() {
  const { session, organization: current } = useSession()
  const [isCreating, setCreating] = useState(false)
  const change = useSwitchOrganization()
  const nameOf = (id: number | null) =>
    session.organizations.find((known) => known.id === id)?.name ?? (id === null ? '–' : `${id}`)
  return (
    <Card
      title={t('Your organizations')}
      note={t(
        'A child organization has its own members, devices and groups, and counts against the limits of this one.',
      )}
      actions={
        <ActionButton size="xs" needs="manage_account" onClick={() => setCreating(true)}>
          {t('New child organization')}
        </ActionButton>
      }
    >
      <List
        caption={t('Your organizations')}
        rows={session.organizations}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ name }) => <Text size="sm">{name}</Text> },
          { title: t('Below'), cell: ({ parent_org_id }) => nameOf(parent_org_id), isExtra: true },
          { title: t('You are'), cell: ({ is_owner }) => (is_owner ? t('Owner') : t('Member')) },
          {
            title: t('Action'),
            cell: ({ id, name }) =>
              id === current.id ? (
                <State kind="good">{t('Chosen')}</State>
              ) : (
                <ActionButton
                  size="compact-xs"
                  variant="default"
                  aria-label={t('Change to {name}', { name })}
                  onClick={() => void change(id)}
                >
                  {t('Change')}
                </ActionButton>
              ),
          },
        ]}
      />
      <CreateOrganizationDialog opened={isCreating} onClose={() => setCreating(false)} />
    </Card>
  )
}
