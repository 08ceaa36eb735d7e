import type { ComponentProps } from 'react'
import { t } from '../../languages/text.ts'
import { isOfGroup } from '../../session/page-access.ts'
import { useIsLimited } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { TabLinks, tabLink } from '../../ui/tabs.tsx'

const places = [
  { to: '/settings', label: t('Profile') },
  { to: '/settings/security', label: t('Security') },
  { to: '/settings/organization', label: t('Organization') },
  { to: '/settings/members', label: t('Members') },
  { to: '/settings/invitations', label: t('Invitations') },
  { to: '/settings/api-keys', label: t('API keys') },
  { to: '/settings/webhooks', label: t('Webhooks') },
  { to: '/billing', label: t('Billing') },
] as const

/** A page of the settings, below links to all of them. */
export function SettingsPage(props: ComponentProps<typeof Page>) {
  const isLimited = useIsLimited()
  return (
    <>
      <TabLinks label={t('Settings')}>
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
