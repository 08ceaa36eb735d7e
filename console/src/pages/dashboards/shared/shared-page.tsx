import {
  Button,
  Group,
  MantineProvider,
  PasswordInput,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useState } from 'react'
import { ApiError, call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { EntranceFrame } from '../../../ui/entrance-frame.tsx'
import { useSubmit } from '../../../ui/form.tsx'
import { EmptyState, ErrorNotice, messageOf } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { styleNonce } from '../../../ui/style-nonce.ts'
import { cssVariables, theme } from '../../../ui/theme.ts'
import { rangeNames } from '../dashboard.ts'
import { DashboardGrid } from '../dashboard-grid.tsx'
import { SharedContext } from '../views/view.ts'
import { WidgetCard } from '../widget-view.tsx'
import classes from './shared.module.css'
import {
  type Opened,
  type SharedLink,
  usePass,
  useSharedData,
  useSharedLink,
} from './use-shared.ts'
import { useNewVersions, useNight, useRotation, useWakeLock, useWayOut } from './use-wall.ts'

const route = getRouteApi('/shared/$token')

/** Dashboards for whoever has a link: without a login, on a wall or in a frame of another site. */
export function SharedPage() {
  const { token } = route.useParams()
  const { pass, keep } = usePass(token)
  const opened = { token, pass }
  const { data, error, refetch } = useSharedLink(opened)
  useNewVersions()
  const status = error instanceof ApiError ? error.status : 0
  if (status === 403) return <PasswordPage token={token} onPass={keep} />
  if (status === 404) {
    return (
      <EntranceFrame title={t('This link shows nothing')}>
        <EmptyState title={t('It has ended, or was mistyped')}>
          {t('Please ask whoever gave it to you for another one.')}
        </EmptyState>
      </EntranceFrame>
    )
  }
  if (data) return <SharedDashboards opened={opened} link={data} />
  return (
    <main className={classes.page}>
      {error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <LoadingLines count={8} />
      )}
    </main>
  )
}

function PasswordPage({ token, onPass }: { token: string; onPass: (pass: string) => void }) {
  const [password, setPassword] = useState('')
  const { submit, isBusy, error } = useSubmit(async () => {
    const parts = { path: { token }, body: { password } }
    const options = { isAnonymous: true }
    const { data } = await call('POST /shared-dashboards/{token}/pass', parts, options)
    onPass(data.pass)
  })
  return (
    <EntranceFrame title={t('Shared dashboard')}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <PasswordInput
            label={t('Password of the link')}
            autoComplete="off"
            required
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={error === undefined ? undefined : messageOf(error)}
          />
          <Button type="submit" loading={isBusy}>
            {t('Show')}
          </Button>
        </Stack>
      </form>
    </EntranceFrame>
  )
}

interface SharedProps {
  opened: Opened
  link: SharedLink
}

function SharedDashboards({ opened, link }: SharedProps) {
  const isWall = route.useSearch().wall === 'yes'
  const isNight = useNight()
  const { dashboards, rotate_seconds: seconds } = link
  const [index, setIndex] = useRotation(dashboards.length, seconds, isWall)
  useWakeLock(isWall)
  const dashboard = dashboards[index]
  useEffect(() => {
    if (dashboard) document.title = dashboard.name
  }, [dashboard])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
      defaultColorScheme="auto"
      {...(isWall && isNight && { forceColorScheme: 'dark' as const })}
    >
      <SharedContext value={{ ...opened, index }}>
        <main className={classes.page} data-wall={isWall || undefined}>
          <Head {...{ link, index, isWall }} onChoose={setIndex} />
          {dashboard && <Widgets key={index} {...{ opened, link, index }} />}
        </main>
      </SharedContext>
    </MantineProvider>
  )
}

interface HeadProps {
  link: SharedLink
  index: number
  isWall: boolean
  onChoose: (index: number) => void
}

function Head({ link: { dashboards }, index, isWall, onChoose }: HeadProps) {
  const navigate = route.useNavigate()
  const change = (wall: 'yes' | undefined) => void navigate({ search: { wall }, replace: true })
  useWayOut(isWall, () => change(undefined))
  const begin = (click: MouseEvent) => {
    // The next click may end it; this one must not.
    click.stopPropagation()
    change('yes')
    // In a frame, or where the browser fills the screen already, it may be refused. Some phones have none.
    document.documentElement.requestFullscreen?.().catch(() => undefined)
  }
  const { name, range } = dashboards[index] ?? { name: '', range: '24h' as const }
  return (
    <header className={classes.head}>
      <Title order={1} size="h3">
        {name}
      </Title>
      <Text size="sm" c="dimmed">
        {rangeNames[range][1]}
      </Text>
      {!isWall && (
        <Group gap="sm" ml="auto">
          {dashboards.length > 1 && (
            <Select
              size="xs"
              aria-label={t('Dashboard')}
              allowDeselect={false}
              data={dashboards.map((one, at) => ({ value: String(at), label: one.name }))}
              value={String(index)}
              onChange={(value) => onChoose(Number(value))}
            />
          )}
          <Button size="xs" variant="default" onClick={begin}>
            {t('Wall mode')}
          </Button>
        </Group>
      )}
    </header>
  )
}

function Widgets({ opened, link, index }: SharedProps & { index: number }) {
  const { data, error, refetch } = useSharedData(opened, link, index)
  const items = (link.dashboards[index]?.widgets ?? []).map((widget, at) => ({ ...widget, at }))
  const rows = Math.max(1, ...items.map(({ y, h }) => y + h))
  return (
    <>
      {error && data && (
        <div role="status">
          <State kind="warn">{t('No connection. What is shown may be old.')}</State>
        </div>
      )}
      {items.length === 0 && (
        <EmptyState title={t('This dashboard is empty')}>{t('Nothing to show.')}</EmptyState>
      )}
      <DashboardGrid items={items} keyOf={({ at }) => String(at)} rows={rows}>
        {({ at, ...widget }) => (
          <WidgetCard
            widget={widget}
            data={data?.widgets[at]}
            error={error}
            retry={() => void refetch()}
          />
        )}
      </DashboardGrid>
    </>
  )
}
