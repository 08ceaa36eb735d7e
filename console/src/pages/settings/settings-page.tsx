import type { ComponentProps } from 'react'
import { isOfGroup } from '../../session/page-access.ts'
import { useIsLimited } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { TabLinks, tabLink } from '../../ui/tabs.tsx'

const places = [
  { to: '/settings', label: 'Profile' },
  { to: '/settings/security', label: 'Security' },
  { to: '/settings/organization', label: 'Organization' },
  { to: '/settings/members', label: 'Members' },
  { to: '/settings/invitations', label: 'Invitations' },
  { to: '/settings/api-keys', label: 'API keys' },
  { to: '/settings/webhooks', label: 'Webhooks' },
  { to: '/billing', label: 'Billing' },
] as const

/** A page of the settings, below links to all of them. */
export function SettingsPage(props: ComponentProps<typeof Page>) {
  const isLimited = useIsLimited()
  return (
    <>
      <TabLinks label="Settings">
        {places
          .filter(({ to }) => !isLimited || isOfGroup(to))
          .map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              {...tabLink}
              activeOptions={{ exact: to === '/settings', includeSearch: false }}
            >
              {label}
            </Link>
          ))}
      </TabLinks>
      <Page {...props} />
    </>
  )
}
