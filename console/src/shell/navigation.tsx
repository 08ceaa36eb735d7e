import { NavLink, type NavLinkProps } from '@mantine/core'
import {
  IconActivity,
  IconAntenna,
  IconApi,
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

const PageLink = createLink(
  forwardRef<
    HTMLAnchorElement,
    NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>
  >((props, ref) => <NavLink ref={ref} {...props} />),
)

const places = [
  { to: '/', label: 'Overview', Icon: IconDashboard },
  { to: '/devices', label: 'Devices', Icon: IconCpu },
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
  return places.map(({ to, label, Icon }) => (
    <PageLink
      key={to}
      to={to}
      label={label}
      leftSection={<Icon size={17} aria-hidden />}
      activeOptions={{ exact: to === '/' }}
      activeProps={{ active: true, 'aria-current': 'page' }}
    />
  ))
}
