import { Tabs } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { t } from '../../languages/text.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { TabList, tabClasses } from '../../ui/tabs.tsx'
import { DeviceActions } from './actions/device-actions.tsx'
import { DeviceHeader } from './device-header.tsx'
import { type TabName, useDeviceEui, useDeviceSearch } from './device-search.ts'
import { OverviewTab } from './overview/overview-tab.tsx'
import { type DeviceRecord, useDevice } from './use-device.ts'

const MeasurementsTab = lazy(() => import('./measurements/measurements-tab.tsx'))
const RadioTab = lazy(() => import('./radio/radio-tab.tsx'))
const UplinksTab = lazy(() => import('./uplinks/uplinks-tab.tsx'))
const DownlinksTab = lazy(() => import('./downlinks/downlinks-tab.tsx'))
const SettingsTab = lazy(() => import('./settings/settings-tab.tsx'))

const titles: Record<TabName, string> = {
  overview: t('Overview'),
  measurements: t('Measurements'),
  uplinks: t('Uplinks'),
  radio: t('Radio'),
  downlinks: t('Downlinks'),
  settings: t('Settings'),
}

const contents: Partial<Record<TabName, (device: DeviceRecord) => ReactNode>> = {
  overview: (device) => <OverviewTab device={device} />,
  measurements: (device) => <MeasurementsTab device={device} />,
  uplinks: (device) => <UplinksTab device={device} />,
  radio: (device) => <RadioTab device={device} />,
  downlinks: (device) => <DownlinksTab eui={device.device_id} />,
  settings: (device) => <SettingsTab device={device} />,
}

/** One device: its state, measurements, uplinks, radio, downlinks and settings. */
export function DevicePage() {
  const eui = useDeviceEui()
  const { data, error, refetch } = useDevice(eui)
  const device = data?.data
  if (device) return <LoadedDevice device={device} />
  if (error?.status === 404) return <MissingDevice eui={eui} />
  return (
    <Page title={eui} above={<Link to="/devices">{t('Devices')}</Link>}>
      {error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <LoadingLines />}
    </Page>
  )
}

function LoadedDevice({ device }: { device: DeviceRecord }) {
  const { search, change } = useDeviceSearch()
  const tab = search.tab ?? 'overview'
  const choose = (name: string | null) => change({ tab: (name ?? 'overview') as TabName })
  return (
    <Page
      title={device.device_name}
      above={<Link to="/devices">{t('Devices')}</Link>}
      description={<DeviceHeader device={device} />}
      actions={<DeviceActions device={device} />}
    >
      <Tabs
        classNames={tabClasses}
        value={tab}
        onChange={choose}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <TabList aria-label={t('Parts of the device')}>
          {Object.keys(contents).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {titles[name as TabName]}
            </Tabs.Tab>
          ))}
        </TabList>
        {Object.entries(contents).map(([name, content]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Suspense fallback={<LoadingLines />}>{content(device)}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

function MissingDevice({ eui }: { eui: string }) {
  return (
    <Page title={t('Device not found')} above={<Link to="/devices">{t('Devices')}</Link>}>
      <EmptyState
        title={t('There is no device {eui} in this organization.', { eui })}
        actions={
          <>
            <LinkButton to="/devices" variant="default">
              {t('All devices')}
            </LinkButton>
            <LinkButton to="/register">{t('Register a device')}</LinkButton>
          </>
        }
      >
        {t(
          'It may have been deleted, it may belong to another of your organizations (choose that one at the top), or the EUI in the address may be mistyped.',
        )}
      </EmptyState>
    </Page>
  )
}
