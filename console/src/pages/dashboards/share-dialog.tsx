import {
  Button,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../api/generated.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { type ErrorOf, Form } from '../../ui/form.tsx'
import { ShownOnce } from '../../ui/form-dialog.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState, tellSuccess } from '../../ui/notices.tsx'
import { Time } from '../../ui/time.tsx'
import type { Dashboard } from './dashboard.ts'

type DashboardLink = Schemas['DashboardLink']

interface ShareDialogProps {
  dashboard: Dashboard
  onClose: () => void
}

/** The links of a dashboard, and a new one. */
export function ShareDialog({ dashboard, onClose }: ShareDialogProps) {
  const [address, setAddress] = useState<string>()
  const [isNew, setNew] = useState(false)
  const [revoked, setRevoked] = useState<DashboardLink>()
  if (revoked) {
    const back = () => setRevoked(undefined)
    return <RevokeQuestion dashboard={dashboard} link={revoked} onClose={back} />
  }
  return (
    <Modal opened onClose={onClose} title={t('Share {name}', { name: dashboard.name })} size="lg">
      {address !== undefined ? (
        <ShownOnce
          label={t('Address')}
          value={address}
          onClose={() => {
            setAddress(undefined)
            setNew(false)
          }}
        >
          <Text size="sm">
            {t(
              'Whoever has this address sees the dashboard. It is shown only now: please copy it.',
            )}
          </Text>
        </ShownOnce>
      ) : isNew ? (
        <LinkForm dashboard={dashboard} onMade={setAddress} onClose={() => setNew(false)} />
      ) : (
        <Links dashboard={dashboard} onNew={() => setNew(true)} onRevoke={setRevoked} />
      )}
    </Modal>
  )
}

interface LinksProps {
  dashboard: Dashboard
  onNew: () => void
  onRevoke: (link: DashboardLink) => void
}

function Links({ dashboard: { id }, onNew, onRevoke }: LinksProps) {
  const answer = useApi('GET /dashboards/{dashboard_id}/links', { path: { dashboard_id: id } })
  return (
    <Stack>
      <Text size="sm">
        {t(
          'A link shows the dashboard without a login: on a screen on the wall, or on another site. It shows the widgets as they are, and nothing else.',
        )}
      </Text>
      <List
        caption={t('Links')}
        answer={answer}
        keyOf={(link) => link.id}
        columns={columnsOf(onRevoke)}
        empty={
          <EmptyState title={t('No links yet')}>{t('Only members see this dashboard.')}</EmptyState>
        }
      />
      <Group justify="flex-end">
        <Button onClick={onNew} data-autofocus>
          {t('New link')}
        </Button>
      </Group>
    </Stack>
  )
}

const columnsOf = (onRevoke: LinksProps['onRevoke']): readonly Column<DashboardLink>[] => [
  {
    title: t('Link'),
    phone: 'title',
    cell: ({ name, has_password, dashboards, hosts }) => (
      <>
        {name}
        <Text size="xs" c="dimmed">
          {[
            has_password ? t('With a password') : '',
            dashboards.length > 1
              ? t('{count} dashboards in turn', { count: dashboards.length })
              : '',
            hosts.length > 0 ? t('in frames of {hosts}', { hosts: hosts.join(' ') }) : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </Text>
      </>
    ),
  },
  {
    title: t('Used'),
    cell: ({ last_used_at: time }) => (time === null ? t('Never') : <Time value={time} />),
  },
  {
    title: t('Ends'),
    phone: 'side',
    cell: ({ expires_at: time }) => (time === null ? t('Never') : <Time value={time} />),
  },
  {
    title: t('Action'),
    cell: (link) => (
      <Button size="compact-sm" variant="default" color="red" onClick={() => onRevoke(link)}>
        {rich('Revoke{span}', { span: <span className="visually-hidden"> {link.name}</span> })}
      </Button>
    ),
  },
]

function RevokeQuestion({ dashboard, link, onClose }: ShareDialogProps & { link: DashboardLink }) {
  const revoke = useAction('DELETE /dashboards/{dashboard_id}/links/{link_id}', {
    invalidates: ['GET /dashboards/{dashboard_id}/links'],
    onSuccess: () => tellSuccess(t('{name} shows nothing any more.', { name: link.name })),
  })
  const path = { dashboard_id: dashboard.id, link_id: String(link.id) }
  return (
    <Confirm
      opened
      title={t('Revoke {name}?', { name: link.name })}
      action={t('Revoke link')}
      onConfirm={() => revoke.mutateAsync({ path })}
      onClose={onClose}
    >
      {t(
        'Every screen and site that uses it shows nothing any more. This cannot be undone: a new link has another address.',
      )}
    </Confirm>
  )
}

interface TurnFieldsProps {
  choices: readonly { id: string; name: string }[]
  more: string[]
  onMore: (ids: string[]) => void
  seconds: number | string
  onSeconds: (seconds: number | string) => void
  errorOf: ErrorOf
}

/** Which dashboards a wall shows in turn. */
function TurnFields({ choices, more, onMore, seconds, onSeconds, errorOf }: TurnFieldsProps) {
  return (
    <>
      <MultiSelect
        label={t('Shown in turn with')}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={more}
        onChange={onMore}
        maxValues={9}
        error={errorOf('more_dashboards')}
      />
      {more.length > 0 && (
        <NumberInput
          label={t('Seconds for each')}
          min={5}
          max={3600}
          value={seconds}
          onChange={onSeconds}
          error={errorOf('rotate_seconds')}
        />
      )}
    </>
  )
}

interface LinkFormProps extends ShareDialogProps {
  onMade: (address: string) => void
}

function LinkForm({ dashboard, onMade, onClose }: LinkFormProps) {
  const others = useApi('GET /dashboards', { query: { made_by: 'members' } })
  const [name, setName] = useState('')
  const [ends, setEnds] = useState<string>()
  const [password, setPassword] = useState('')
  const [hosts, setHosts] = useState('')
  const [more, setMore] = useState<string[]>([])
  const [seconds, setSeconds] = useState<number | string>(30)
  const create = useAction('POST /dashboards/{dashboard_id}/links', {
    invalidates: ['GET /dashboards/{dashboard_id}/links'],
  })
  const send = async () => {
    const body = {
      ...{ name, more_dashboards: more, rotate_seconds: Number(seconds) },
      expires_at: ends ?? null,
      password: password || null,
      hosts: hosts.split(/\s+/).filter(Boolean),
    }
    const { data } = await create.mutateAsync({ path: { dashboard_id: dashboard.id }, body })
    onMade(data.url)
  }
  const choices = (others.data?.data ?? []).filter(({ id }) => id !== dashboard.id)
  return (
    <Form action={t('Make the link')} leave={t('Back')} onSubmit={send} onClose={onClose}>
      {(errorOf) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('Where it is used, such as “Screen in the hall”.')}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('name')}
          />
          <DateTimeField
            label={t('Ends')}
            description={t('Without it, it lasts until it is revoked.')}
            value={ends}
            onChange={setEnds}
            error={errorOf('expires_at')}
          />
          <PasswordInput
            label={t('Password')}
            description={t('Asked for once on each screen.')}
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorOf('password')}
          />
          <Textarea
            label={t('Sites that may show it in a frame')}
            description={t('One a line, such as https://www.example.com.')}
            autosize
            value={hosts}
            onChange={(event) => setHosts(event.currentTarget.value)}
            error={errorOf('hosts')}
          />
          <TurnFields
            choices={choices}
            {...{ more, onMore: setMore, seconds, onSeconds: setSeconds, errorOf }}
          />
        </>
      )}
    </Form>
  )
}
