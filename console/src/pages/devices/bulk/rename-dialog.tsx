import { Group, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../../languages/text.ts'
import { Form } from '../../../ui/form.tsx'
import { List } from '../../../ui/list/list.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { faultOf, placeholders, type Renaming, renamed } from './name-pattern.ts'
import { type Chosen, type NamedDevice, readChosen, startRenaming } from './start-job.ts'

interface RenameDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Devices whose names are shown before anything happens. */
const shownCount = 5

export function RenameDialog({ chosen, onStarted, onClose }: RenameDialogProps) {
  const [devices, setDevices] = useState<NamedDevice[]>()
  const [problem, setProblem] = useState<unknown>()
  const [renaming, setRenaming] = useState<Renaming>({
    pattern: '{name}',
    find: '',
    replacement: '',
  })
  useEffect(() => {
    readChosen(chosen.ids, () => {}).then(setDevices, setProblem)
  }, [chosen])
  if (problem !== undefined) return <ErrorNotice error={problem} />
  if (!devices) return <LoadingLines count={5} />
  const next = devices.map((device, index) => ({ ...device, to: renamed(device, index, renaming) }))
  const changed = next.filter(({ name, to }) => name !== to)
  const fault = next.map(({ to }) => faultOf(to)).find((each) => each !== undefined)
  const set = (changes: Partial<Renaming>) => setRenaming((now) => ({ ...now, ...changes }))
  const begin = async () =>
    onStarted(await startRenaming(changed.map(({ eui, to }) => ({ eui, name: to }))))
  return (
    <Form
      action={t('Rename {count, plural, one {# device} other {# devices}}', {
        count: changed.length,
      })}
      blockedBy={fault ?? (changed.length === 0 ? t('No name would change.') : undefined)}
      onSubmit={begin}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('New name')}
        description={placeholders.map(([word, meaning]) => `${word} ${meaning}`).join(' · ')}
        value={renaming.pattern}
        onChange={(event) => set({ pattern: event.currentTarget.value })}
        error={fault}
      />
      <Group grow>
        <TextInput
          label={t('Find in the name')}
          value={renaming.find}
          onChange={(event) => set({ find: event.currentTarget.value })}
        />
        <TextInput
          label={t('Replace by')}
          value={renaming.replacement}
          onChange={(event) => set({ replacement: event.currentTarget.value })}
        />
      </Group>
      <List
        caption={t('Names before and after')}
        columns={[
          { title: t('Name'), cell: ({ name }) => name },
          { title: t('New name'), cell: ({ to, name }) => (to === name ? 'unchanged' : to) },
        ]}
        rows={next.slice(0, shownCount)}
        keyOf={({ eui }) => eui}
      />
      {next.length > shownCount && (
        <Text size="sm" c="dimmed">
          {t('and {count, plural, one {# more device} other {# more devices}}', {
            count: next.length - shownCount,
          })}
        </Text>
      )}
    </Form>
  )
}
