import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { keyOf, queryClient, useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { Page } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { AddDialog, ChangeDialog, DeleteDialog } from './source-dialogs.tsx'
import { type Source, sourceReads } from './sources.ts'

/** The catalogues that registration chooses models from. */
export function CataloguesPage() {
  const answer = useApi('GET /device-catalogue/sources', {})
  const [isAdding, setAdding] = useState(false)
  const may = useMay('manage_account')
  return (
    <Page
      title={t('Device catalogues')}
      guide="catalogue.html"
      above={<Link to="/device-types">{t('Device types')}</Link>}
      description={t('Where the models come from that a registration can begin with.')}
      actions={
        may && (
          <ActionButton needs="manage_account" onClick={() => setAdding(true)}>
            {t('Add a catalogue')}
          </ActionButton>
        )
      }
    >
      <List
        caption={t('Device catalogues')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={may ? [...columns, actions] : columns}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

const columns: readonly Column<Source>[] = [
  { title: t('Catalogue'), phone: 'title', cell: (source) => <Name source={source} /> },
  {
    title: t('Models'),
    phone: 'side',
    isNumber: true,
    cell: ({ models }) => formatCount(models),
  },
  {
    title: t('Brands'),
    isNumber: true,
    isExtra: true,
    cell: ({ vendors }) => formatCount(vendors),
  },
  { title: t('State'), cell: (source) => <SourceState source={source} /> },
  { title: t('Last read'), cell: ({ fetched_at: time }) => <Time value={time} /> },
]
const actions: Column<Source> = {
  title: t('Actions'),
  cell: (source) => <Actions source={source} />,
}

function Name({ source: { name, url, ref, folder, revision } }: { source: Source }) {
  const where = [ref, folder, revision?.slice(0, 8)].filter(Boolean)
  return (
    <>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {url !== null && (
        <Anchor href={url} target="_blank" rel="noreferrer" size="xs" lineClamp={2}>
          {url}
        </Anchor>
      )}
      {where.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {where.join(' · ')}
        </Text>
      )}
    </>
  )
}

function SourceState({ source: { kind, error, problems } }: { source: Source }) {
  if (error !== null) {
    return (
      <>
        <State kind="bad">{t('Could not be read')}</State>
        <Text size="xs">{error}</Text>
      </>
    )
  }
  if (problems.length === 0) {
    return <State kind="good">{kind === 'built_in' ? t('Built in') : t('Read')}</State>
  }
  return (
    <>
      <State kind="warn">{t('Some models are left out')}</State>
      <details>
        <Text size="xs" component="summary">
          {t('{count, plural, one {# problem} other {# problems}}', { count: problems.length })}
        </Text>
        <Stack gap={2} component="ul" m={0} ps="md">
          {problems.map((problem) => (
            <Text key={problem} size="xs" component="li" style={{ overflowWrap: 'anywhere' }}>
              {problem}
            </Text>
          ))}
        </Stack>
      </details>
    </>
  )
}

const dialogs = { change: ChangeDialog, delete: DeleteDialog }

function Actions({ source }: { source: Source }) {
  const { id, name, kind } = source
  const [opened, setOpened] = useState<keyof typeof dialogs>()
  const read = useAction('POST /device-catalogue/sources/{source_id}/fetch', {
    invalidates: sourceReads,
    onSuccess: ({ data: { models } }) =>
      tellSuccess(
        t('{name} has {models, plural, one {# model} other {# models}}.', { name, models }),
      ),
    onError: (error) => {
      tellFailure(t('{name} could not be read', { name }), error)
      // The list says why, too.
      void queryClient.invalidateQueries({ queryKey: keyOf('GET /device-catalogue/sources') })
    },
  })
  const Dialog = opened && dialogs[opened]
  const isOwn = kind === 'zip' || kind === 'git'
  const button = (label: string, act: () => void, isBusy = false) => (
    <ActionButton
      size="compact-xs"
      variant="default"
      needs="manage_account"
      loading={isBusy}
      aria-label={`${label} ${name}`}
      onClick={act}
    >
      {label}
    </ActionButton>
  )
  return (
    <Group gap={6}>
      {(kind === 'git' || kind === 'folder') &&
        button(t('Read again'), () => read.mutate({ path: { source_id: id } }), read.isPending)}
      {isOwn && button(t('Change'), () => setOpened('change'))}
      {isOwn && button(t('Delete'), () => setOpened('delete'))}
      {Dialog && <Dialog source={source} onClose={() => setOpened(undefined)} />}
    </Group>
  )
}
