import { Badge, NavLink, type NavLinkProps } from '@mantine/core'
import {
  IconActivity,
  IconAntenna,
  IconApi,
  IconBell,
  IconBinaryTree,
  IconCpu,
  IconCreditCard,
  IconDashboard,
  IconHistory,
  IconListCheck,
  IconNetwork,
  IconRouter,
  IconSettings,
} from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, forwardRef } from 'react'
import { useApi } from '../api/hooks.ts'
import { isOfGroup } from '../session/page-access.ts'
import { useIsLimited } from '../session/session.ts'
import { formatCount } from '../ui/numbers.ts'

const PageLink = createLink(
  forwardRef<
    HTMLAnchorElement,
    NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>
  >((props, ref) => <NavLink ref={ref} {...props} />),
)

const places = [
  { to: '/', label: 'Overview', Icon: IconDashboard },
  { to: '/devices', label: 'Devices', Icon: IconCpu },
  { to: '/alerts', label: 'Alerts', Icon: IconBell },
  { to: '/uplinks', label: 'Uplinks', Icon: IconActivity },
  { to: '/gateways', label: 'Gateways', Icon: IconRouter },
  { to: '/groups', label: 'Groups', Icon: IconBinaryTree },
  { to: '/networks', label: 'Networks', Icon: IconNetwork },
  { to: '/device-types', label: 'Device types', Icon: IconAntenna },
  { to: '/jobs', label: 'Jobs', Icon: IconListCheck },
  { to: '/activity', label: 'Activity', Icon: IconHistory },
  { to: '/billing', label: 'Billing', Icon: IconCreditCard },
  { to: '/api', label: 'API', Icon: IconApi },
  { to: '/settings', label: 'Settings', Icon: IconSettings },
] as const

/** The links to the areas of the console. The one that is open is marked, also for screen readers. */
export function Navigation() {
  const isLimited = useIsLimited()
  return places
    .filter(({ to }) => !isLimited || isOfGroup(to))
    .map(({ to, label, Icon }) => (
      <PageLink
        key={to}
        to={to}
        label={label}
        leftSection={<Icon size={17} aria-hidden />}
        rightSection={to === '/alerts' ? <OpenAlerts /> : undefined}
        activeOptions={{ exact: to === '/' }}
        activeProps={{ active: true, 'aria-current': 'page' }}
      />
    ))
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
      <span className="visually-hidden"> not acknowledged</span>
    </Badge>
  )
}
