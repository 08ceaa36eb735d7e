import { Page } from '../../ui/page.tsx'

export function GroupsPage() {
  return <Page title="Groups">{null}</Page>
}
