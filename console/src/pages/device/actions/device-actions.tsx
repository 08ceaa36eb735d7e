import { Button, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowsTransferUp,
  IconBinary,
  IconDots,
  IconDownload,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { downloadApi } from '../../../api/download.ts'
import { t } from '../../../languages/text.ts'
import { useIsLimited, useMay } from '../../../session/session.ts'
import { tellFailure } from '../../../ui/notices.tsx'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { DeleteDialog } from './delete-dialog.tsx'

const ConfigureDrawer = lazy(() =>
  import('./configure-drawer.tsx').then((file) => ({ default: file.ConfigureDrawer })),
)
const RawDialog = lazy(() =>
  import('./raw-dialog.tsx').then((file) => ({ default: file.RawDialog })),
)
const MoveDialog = lazy(() =>
  import('./move-dialog.tsx').then((file) => ({ default: file.MoveDialog })),
)

type Dialog = 'configure' | 'bytes' | 'move' | 'delete'

const files = [
  { operation: 'GET /fleet/uplinks/export', ending: 'csv', label: t('Export uplinks (CSV)') },
  {
    operation: 'GET /fleet/uplinks/lines',
    ending: 'ndjson',
    label: t('Export uplinks (JSON lines)'),
  },
] as const

/** What can be done with the device: the most usual as buttons, on phones all in a menu. */
export function DeviceActions({ device }: { device: DeviceRecord }) {
  const [open, setOpen] = useState<Dialog>()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const mayChange = useMay('manage_devices')
  return (
    <>
      <Group gap="xs">
        {mayChange && !isPhone && (
          <>
            <Button
              variant="default"
              leftSection={<IconBinary size={16} aria-hidden />}
              onClick={() => setOpen('bytes')}
            >
              {t('Send bytes')}
            </Button>
            <Button
              leftSection={<IconSettings size={16} aria-hidden />}
              onClick={() => setOpen('configure')}
            >
              {t('Configure')}
            </Button>
          </>
        )}
        <MoreMenu device={device} hasAll={isPhone} onOpen={setOpen} />
      </Group>
      <Suspense>
        <Dialogs device={device} open={open} onClose={() => setOpen(undefined)} />
      </Suspense>
    </>
  )
}

interface MoreMenuProps {
  device: DeviceRecord
  hasAll: boolean
  onOpen: (dialog: Dialog) => void
}

function MoreMenu({ device, hasAll, onOpen }: MoreMenuProps) {
  const mayChange = useMay('manage_devices')
  // Whoever sees one group knows no other network.
  const isLimited = useIsLimited()
  const eui = device.device_id
  const save = ({ operation, ending }: (typeof files)[number]) =>
    void downloadApi(operation, { device: eui }, `uplinks-${eui}.${ending}`).catch((error) =>
      tellFailure(t('The export failed'), error),
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" aria-label={t('More actions')} title={t('More actions')} px="xs">
          <IconDots size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {mayChange && hasAll && (
          <>
            <Menu.Item
              leftSection={<IconSettings size={16} aria-hidden />}
              onClick={() => onOpen('configure')}
            >
              {t('Configure')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconBinary size={16} aria-hidden />}
              onClick={() => onOpen('bytes')}
            >
              {t('Send bytes')}
            </Menu.Item>
          </>
        )}
        {mayChange && !isLimited && (
          <Menu.Item
            leftSection={<IconArrowsTransferUp size={16} aria-hidden />}
            onClick={() => onOpen('move')}
          >
            {t('Move to another network')}
          </Menu.Item>
        )}
        {files.map((file) => (
          <Menu.Item
            key={file.ending}
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={device.uplink_count === 0}
            onClick={() => save(file)}
          >
            {file.label}
          </Menu.Item>
        ))}
        {mayChange && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onOpen('delete')}
            >
              {t('Delete the device')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface DialogsProps {
  device: DeviceRecord
  open: Dialog | undefined
  onClose: () => void
}

function Dialogs({ device, open, onClose }: DialogsProps) {
  const { change } = useDeviceSearch()
  const eui = device.device_id
  const showDownlinks = () => change({ tab: 'downlinks' })
  if (open === 'configure')
    return <ConfigureDrawer eui={eui} onSent={showDownlinks} onClose={onClose} />
  if (open === 'bytes') return <RawDialog eui={eui} onSent={showDownlinks} onClose={onClose} />
  if (open === 'delete') return <DeleteDialog device={device} onClose={onClose} />
  if (open !== 'move') return null
  const onMoved = () => {
    onClose()
    change({ tab: 'settings' })
  }
  return <MoveDialog device={device} onMoved={onMoved} onClose={onClose} />
}
