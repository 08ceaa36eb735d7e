import { Button, Group, Menu, Modal, Paper, Text } from '@mantine/core'
import {
  IconArrowsExchange,
  IconChartLine,
  IconChevronDown,
  IconFolderPlus,
  IconFolders,
  IconFolderX,
  IconPencil,
  IconSettings,
  IconTag,
  IconTagOff,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mostSeries } from '../../../charts/series-styles.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { tellFailure } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import classes from './bulk-bar.module.css'
import { ConfigureDialog } from './configure-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { NetworkDialog } from './network-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { type Chosen, readChosen } from './start-job.ts'
import { TagDialog } from './tag-dialog.tsx'

interface BulkBarProps {
  chosen: Chosen
  total: number
  onAll: () => void
  onClear: () => void
  onStarted: (jobId: number) => void
}

type Work =
  | 'rename'
  | 'replace'
  | 'add'
  | 'remove'
  | 'tag'
  | 'untag'
  | 'configure'
  | 'network'
  | 'delete'

const titles: Record<Work, string> = {
  rename: t('Rename'),
  replace: t('Move to a group'),
  add: t('Add to groups'),
  remove: t('Remove from groups'),
  tag: t('Add tags'),
  untag: t('Remove tags'),
  configure: t('Configure'),
  network: t('Move to another network'),
  delete: 'Delete',
}

/** What can be done with the chosen devices. It goes on in the background, with a result per device. */
export function BulkBar(props: BulkBarProps) {
  const { chosen, total, onAll, onClear } = props
  const [work, setWork] = useState<Work>()
  const count = chosen.ids.length
  const close = () => setWork(undefined)
  return (
    <Paper
      withBorder
      shadow="md"
      className={classes.bar}
      role="region"
      aria-label={t('Chosen devices')}
    >
      <Group gap={6} justify="space-between">
        <Group gap={4}>
          <Text size="sm" fw={600} role="status">
            {t('{count, plural, one {# device} other {# devices}} chosen', { count })}
          </Text>
          {count < total && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={onAll}
              aria-label={t('All {total} that match', { total: formatCount(total) })}
            >
              {t('All {total}', { total: formatCount(total) })}
            </Button>
          )}
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            {t('Clear')}
          </Button>
        </Group>
        <Group gap={6}>
          {count > 1 && count <= mostSeries && <CompareButton ids={chosen.ids} />}
          <WorkButtons onWork={setWork} />
        </Group>
      </Group>
      <Modal
        opened={work !== undefined}
        onClose={close}
        title={
          work &&
          `${titles[work]}: ${t('{count, plural, one {# device} other {# devices}}', { count })}`
        }
        size="lg"
      >
        {work && <Dialog {...props} work={work} onClose={close} />}
      </Modal>
    </Paper>
  )
}

/** Shows the last day of the chosen devices in the same charts: those of the first of them. */
function CompareButton({ ids }: Pick<Chosen, 'ids'>) {
  const navigate = useNavigate()
  const [isLoading, setLoading] = useState(false)
  const compare = async () => {
    setLoading(true)
    try {
      const [first, ...others] = (await readChosen(ids, () => {})).map(({ eui }) => eui)
      if (first === undefined) return
      const search = { tab: 'measurements', range: 'day', with: others.join() } as const
      await navigate({ to: '/devices/$eui', params: { eui: first }, search })
    } catch (error) {
      tellFailure(t('The devices could not be read'), error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconChartLine size={16} aria-hidden />}
      loading={isLoading}
      onClick={() => void compare()}
    >
      {t('Compare')}
    </Button>
  )
}

function WorkButtons({ onWork }: { onWork: (work: Work) => void }) {
  const icon = { size: 16, 'aria-hidden': true } as const
  return (
    <>
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        leftSection={<IconPencil {...icon} />}
        onClick={() => onWork('rename')}
      >
        {t('Rename')}
      </ActionButton>
      <Menu position="top-end">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconFolders {...icon} />}
            rightSection={<IconChevronDown {...icon} />}
          >
            {t('Groups')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFolders {...icon} />} onClick={() => onWork('replace')}>
            {t('Move to a group')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderPlus {...icon} />} onClick={() => onWork('add')}>
            {t('Add to groups')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderX {...icon} />} onClick={() => onWork('remove')}>
            {t('Remove from groups')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TagMenu onWork={onWork} />
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        leftSection={<IconSettings {...icon} />}
        onClick={() => onWork('configure')}
      >
        {t('Configure')}
      </ActionButton>
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowsExchange {...icon} />}
        onClick={() => onWork('network')}
      >
        {t('Network')}
      </ActionButton>
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        c="var(--state-bad)"
        leftSection={<IconTrash {...icon} />}
        onClick={() => onWork('delete')}
      >
        {t('Delete')}
      </ActionButton>
    </>
  )
}

function TagMenu({ onWork }: { onWork: (work: Work) => void }) {
  const icon = { size: 16, 'aria-hidden': true } as const
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTag {...icon} />}
          rightSection={<IconChevronDown {...icon} />}
        >
          {t('Tags')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTag {...icon} />} onClick={() => onWork('tag')}>
          {t('Add tags')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTagOff {...icon} />} onClick={() => onWork('untag')}>
          {t('Remove tags')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Dialog({ work, ...props }: BulkBarProps & { work: Work; onClose: () => void }) {
  const started = (jobId: number) => {
    props.onClose()
    props.onStarted(jobId)
  }
  const common = { chosen: props.chosen, onStarted: started, onClose: props.onClose }
  if (work === 'rename') return <RenameDialog {...common} />
  if (work === 'delete') return <DeleteDialog {...common} />
  if (work === 'configure') return <ConfigureDialog {...common} />
  if (work === 'network') return <NetworkDialog {...common} />
  if (work === 'tag') return <TagDialog {...common} mode="add" />
  if (work === 'untag') return <TagDialog {...common} mode="remove" />
  return <GroupDialog {...common} mode={work} />
}
