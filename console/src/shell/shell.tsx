import { AppShell, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { withTexts } from '../languages/load.ts'
import { t } from '../languages/text.ts'
import { findOrganization } from '../session/known-session.ts'
import { barOf } from '../session/page-access.ts'
import { useSession, useSessionQuery } from '../session/session.ts'
import { Link } from '../ui/link.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { LoadingLines } from '../ui/page.tsx'
import { WordMark } from '../ui/word-mark.tsx'
import { BarredPage } from './barred-page.tsx'
import { JobsIndicator } from './jobs-indicator.tsx'
import { LiveState } from './live-state.tsx'
import { Navigation } from './navigation.tsx'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { SearchButton } from './search-button.tsx'
import { SessionDialog } from './session-dialog.tsx'
import classes from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

const MustChangePassword = lazy(async () => ({
  default: (await withTexts('shared', () => import('./must-change-password.tsx'))())
    .MustChangePassword,
}))
const MustSetUpTwoFactor = lazy(async () => ({
  default: (await withTexts('shared', () => import('./must-set-up-two-factor.tsx'))())
    .MustSetUpTwoFactor,
}))
const NoOrganization = lazy(async () => ({
  default: (await withTexts('shared', () => import('./no-organization.tsx'))()).NoOrganization,
}))

/** The frame of all pages that need a login. */
export function Shell() {
  const { data: session, error, isPending, refetch } = useSessionQuery()
  if (isPending) return <LoadingLines />
  if (session === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (session === null) return <ToLogin />
  if (session.organizations.length === 0)
    return (
      <Suspense>
        <NoOrganization session={session} />
      </Suspense>
    )
  if (session.must_change_password)
    return (
      <Suspense>
        <MustChangePassword />
      </Suspense>
    )
  const organization = findOrganization(session)
  const hasTwoFactor = session.user.two_factor || session.sign_on?.two_factor
  if (organization?.requires_two_factor && !hasTwoFactor)
    return (
      <Suspense>
        <MustSetUpTwoFactor key={organization.id} session={session} organization={organization} />
      </Suspense>
    )
  return <Frame />
}

/** Goes to the login, once: it loads while the address is the login's already. */
function ToLogin() {
  const navigate = useNavigate()
  const { href, pathname } = useLocation()
  const [search] = useState(pathname === '/' ? {} : { next: href })
  useEffect(() => {
    void navigate({ to: '/login', search, replace: true })
  }, [navigate, search])
  return null
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const { organization } = useSession()
  const bar = barOf(organization, pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu of a phone
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#content" className={classes.skip}>
        {t('Skip to the content')}
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="sm" wrap="nowrap" className={classes.brand}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? t('Close the navigation') : t('Open the navigation')}
          />
          <Link to="/" c="inherit" underline="never" visibleFrom="sm">
            <WordMark />
          </Link>
          <OrganizationSwitcher />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <LiveState />
          <JobsIndicator />
          <SearchButton />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="div">
        <ScrollArea component="nav" aria-label={t('Main')} p="xs">
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        {/* Another organization is another fleet: nothing of the former one stays. */}
        {bar ? <BarredPage bar={bar} /> : <Outlet key={organization.id} />}
      </AppShell.Main>
      <SessionDialog />
    </AppShell>
  )
}
