import { Badge, NavLink, type NavLinkProps } from '@mantine/core'
import {
  IconAntenna,
  IconApi,
  IconBell,
  IconBox,
  IconBroadcast,
  IconChartAreaLine,
  IconChartDots,
  IconCpu,
  IconDashboard,
  IconFolders,
  IconHistory,
  IconListCheck,
  IconMap,
  IconNetwork,
  IconReport,
  IconSettings,
} from '@tabler/icons-react'
import { createLink, useLocation } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, forwardRef } from 'react'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { isOfGroup } from '../session/page-access.ts'
import { useIsLimited } from '../session/session.ts'
import { formatCount } from '../ui/numbers.ts'
import classes from './shell.module.css'

const PageLink = createLink(
  forwardRef<
    HTMLAnchorElement,
    NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>
  >((props, ref) => <NavLink ref={ref} {...props} />),
)

const sections = [
  {
    title: t('Monitor'),
    places: [
      { to: '/', label: t('Overview'), Icon: IconDashboard },
      { to: '/dashboards', label: t('Dashboards'), Icon: IconChartAreaLine },
      { to: '/explore', label: t('Explore'), Icon: IconChartDots },
      { to: '/alerts', label: t('Alerts'), Icon: IconBell },
      {
        to: '/devices',
        label: t('Devices'),
        Icon: IconCpu,
        alsoAt: ['/register', '/install', '/import'],
      },
      { to: '/groups', label: t('Groups'), Icon: IconFolders },
      { to: '/map', label: t('Map'), Icon: IconMap },
      { to: '/gateways', label: t('Gateways'), Icon: IconAntenna },
      { to: '/uplinks', label: t('Uplinks'), Icon: IconBroadcast },
    ],
  },
  {
    title: t('Manage'),
    places: [
      { to: '/networks', label: t('Networks'), Icon: IconNetwork },
      { to: '/device-types', label: t('Device types'), Icon: IconBox },
      { to: '/reports', label: t('Reports'), Icon: IconReport },
      { to: '/jobs', label: t('Jobs'), Icon: IconListCheck },
    ],
  },
  {
    title: t('Organization'),
    places: [
      { to: '/activity', label: t('Activity'), Icon: IconHistory },
      { to: '/api', label: 'API', Icon: IconApi },
      { to: '/settings', label: t('Settings'), Icon: IconSettings, alsoAt: ['/billing'] },
    ],
  },
] as const

type Place = (typeof sections)[number]['places'][number]

/** The links to the areas of the console. The one that is open is marked, also for screen readers. */
export function Navigation() {
  const isLimited = useIsLimited()
  const { pathname } = useLocation()
  return sections.map(({ title, places }) => {
    const shown = places.filter(({ to }) => !isLimited || isOfGroup(to))
    if (shown.length === 0) return null
    return (
      <section key={title} aria-label={title} className={classes.section}>
        <span className={classes.sectionTitle} aria-hidden>
          {title}
        </span>
        {shown.map((place) => (
          <PlaceLink key={place.to} place={place} isOpen={isOpenAt(place, pathname)} />
        ))}
      </section>
    )
  })
}

function PlaceLink({ place: { to, label, Icon }, isOpen }: { place: Place; isOpen: boolean }) {
  return (
    <PageLink
      to={to}
      label={label}
      leftSection={<Icon size={17} aria-hidden />}
      rightSection={to === '/alerts' ? <OpenAlerts /> : undefined}
      active={isOpen}
      aria-current={isOpen ? 'page' : undefined}
    />
  )
}

/** Whether a page belongs to a place: it is below it, or is reached from it. */
function isOpenAt(place: Place, pathname: string): boolean {
  const paths = [place.to, ...('alsoAt' in place ? place.alsoAt : [])]
  return paths.some((path) =>
    path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`),
  )
}

/** Milliseconds between two looks; changes come by the stream of events too. */
const interval = 60_000

/** How many alerts nobody has acknowledged yet; nothing if there are none. */
function OpenAlerts() {
  const { data } = useApi('GET /alerts', { query: { limit: 1 } }, { refetchInterval: interval })
  const count = data?.unacknowledged ?? 0
  if (count === 0) return null
  return (
    <Badge size="sm" variant="light" color="red">
      {formatCount(count)}
      <span className="visually-hidden">{t(' not acknowledged')}</span>
    </Badge>
  )
}
