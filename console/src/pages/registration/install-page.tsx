import { Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { CurrentDevice } from './install/current-device.tsx'
import { InstallList } from './install/install-list.tsx'
import type { Install } from './install/install-store.ts'
import type { KeyList } from './install/key-file.tsx'
import { NextDevice } from './install/next-device.tsx'
import { isUnsent, withoutKeys } from './install/outbox.ts'
import { useOutbox } from './install/use-outbox.ts'
import { NetworkChoice } from './register/network-choice.tsx'
import { findPair, isConnected, type NetworkPair } from './register/network-variant.ts'

const networkKey = 'install network'

/** Installs one device after the other, on site and by phone, without leaving the page. */
export function InstallPage() {
  const { outbox, owner, installs, isWaiting, isKept } = useOutbox()
  const unsent = installs.filter(isUnsent).length
  return (
    <Page
      title={t('Install devices')}
      guide="installing.html"
      above={<Link to="/devices">{t('Devices')}</Link>}
      description={t('Scan, name, register, take photos, and wait for the first uplink.')}
    >
      {unsent > 0 && (
        <LeaveQuestion title={t('Leave before everything is sent?')}>
          {isKept
            ? t(
                '{unsent, plural, one {# device} other {# devices}} wait in this browser. They are sent when you open this page again, and are lost if you log out.',
                { unsent },
              )
            : t(
                '{unsent, plural, one {# device} other {# devices}} are not sent, and are lost if you leave.',
                { unsent },
              )}
        </LeaveQuestion>
      )}
      <Stack gap={isWaiting || !isKept ? 'md' : 0} maw="52rem">
        <div role="status">
          {isWaiting && (
            <Notice kind="warn" title={t('No connection')}>
              {isKept
                ? t(
                    'What you enter is kept on this phone and sent by itself when the connection is back.',
                  )
                : t('What you enter is sent by itself when the connection is back.')}{' '}
              {t('{unsent, plural, one {# device} other {# devices}} not sent.', { unsent })}
            </Notice>
          )}
          {!isKept && unsent > 0 && (
            <Notice kind="bad" title={t('Only in this page')}>
              {t('This browser keeps nothing: do not close the page.')}
            </Notice>
          )}
        </div>
        <Installing {...{ outbox, owner, installs, isWaiting }} />
      </Stack>
    </Page>
  )
}

type InstallingProps = Omit<ReturnType<typeof useOutbox>, 'isKept'>

function Installing({ outbox, owner, installs, isWaiting }: InstallingProps) {
  const [current, setCurrent] = useState<string>()
  const [hasCamera, setCamera] = useState(false)
  const [keyList, setKeyList] = useState<KeyList>()
  const shown = installs.find(({ id }) => id === current)
  // Without a registration, there is nothing to see: what is wrong is corrected in the form.
  const refused = shown?.body && shown.fault ? shown : undefined
  const next = () => {
    setCurrent(undefined)
    scrollTo({ top: 0 })
  }
  const install = (begun: Begun) => {
    const { details, position, notes = '', photos = [] } = refused ?? {}
    if (refused) void outbox.remove(refused.id)
    const made: Install = {
      ...{ id: crypto.randomUUID(), owner, began: Date.now() },
      ...{ details, position, photos, fault: undefined, ...begun },
      notes: notes || (begun.notes ?? ''),
    }
    void outbox.put(made)
    setCurrent(made.id)
    scrollTo({ top: 0 })
  }
  return (
    <Stack>
      {shown && !refused ? (
        <CurrentDevice
          key={shown.id}
          install={shown}
          outbox={outbox}
          isWaiting={isWaiting}
          onNext={next}
        />
      ) : (
        <NextAt
          key={refused?.id ?? 'next'}
          {...{ installs, refused, hasCamera, keyList }}
          onCamera={() => setCamera(true)}
          onKeyList={setKeyList}
          onInstall={install}
        />
      )}
      <InstallList
        installs={installs}
        isWaiting={isWaiting}
        onOpen={({ id }) => {
          setCurrent(id)
          scrollTo({ top: 0 })
        }}
        onCorrect={({ id }) => setCurrent(id)}
      />
    </Stack>
  )
}

type Begun = Pick<Install, 'values' | 'body' | 'network' | 'device'> & { notes?: string | null }

interface NextAtProps {
  installs: readonly Install[]
  refused: Install | undefined
  hasCamera: boolean
  onCamera: () => void
  keyList: KeyList | undefined
  onKeyList: (list: KeyList) => void
  onInstall: (begun: Begun) => void
}

/** The form of the network that was used last, or of the only one. */
function NextAt({ installs, refused, onInstall, ...kit }: NextAtProps) {
  const [chosen, setChosen] = useState(
    () => refused?.network.key ?? localStorage.getItem(networkKey),
  )
  const kept = { staleTime: Number.POSITIVE_INFINITY }
  const networks = useApi('GET /fleet/networks', {}, kept)
  const pairs = pairsOf(networks.data?.data)
  const pair = pairs.find(({ network }) => network.key === chosen) ?? pairs[0]
  const key = pair?.network.key ?? ''
  const query = { network: key, type: 'device' } as const
  const form = useApi('GET /configurations', { query }, { ...kept, enabled: pair !== undefined })
  const missing = networks.data ? form : networks
  if (missing.error && !missing.data) {
    return <ErrorNotice error={missing.error} retry={() => void missing.refetch()} />
  }
  if (networks.data && !pair) return <NetworkChoice />
  if (!pair || !form.data) return <LoadingLines />
  if (!('payment' in form.data)) return null
  const choose = (next: string | null) => {
    if (next === null) return
    localStorage.setItem(networkKey, next)
    setChosen(next)
  }
  const known = installs.filter(({ id }) => id !== refused?.id)
  return (
    <>
      {refused && (
        <Notice
          kind="bad"
          title={t('{deviceName} was not registered', { deviceName: refused.values.deviceName })}
        >
          {refused.fault?.message}
        </Notice>
      )}
      <NextDevice
        key={key}
        pair={pair}
        form={form.data.form}
        lastName={installs.at(-1)?.values.deviceName}
        known={new Set(known.map(({ values }) => values.deviceId))}
        beginning={refused}
        {...kit}
        networkChoice={
          pairs.length > 1 && (
            <Select
              label={t('Network')}
              allowDeselect={false}
              data={pairs.map(({ network }) => ({ value: network.key, label: network.name }))}
              value={key}
              onChange={choose}
            />
          )
        }
        onKnown={({ id, device_id, device_name, extra_notes, network: { name } }, typed) =>
          onInstall({
            values: { ...withoutKeys(typed), deviceName: device_name, deviceId: device_id },
            ...{ body: undefined, device: id, notes: extra_notes, network: { key, name } },
          })
        }
        onInstall={(values, body, name) =>
          onInstall({ values, body, device: undefined, network: { key, name } })
        }
      />
    </>
  )
}

function pairsOf(networks: readonly NetworkPair['network'][] = []): NetworkPair[] {
  return networks
    .filter(({ id }) => id !== null)
    .map((network) => findPair(networks, network))
    .filter(isConnected)
}
