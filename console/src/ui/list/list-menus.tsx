import { Box } from '@mantine/core'
import { ColumnMenu } from './column-menu.tsx'
import { type SavedView, SavedViews } from './saved-views.tsx'
import type { ColumnChoice } from './use-columns.ts'

interface ListMenusProps {
  choice: ColumnChoice<{ id: string; title: string }>
  /** Views that everyone needs. */
  views?: readonly SavedView[]
}

/** The views of a list, and its columns. Phones show all columns that they have room for. */
export function ListMenus({ choice, views = [] }: ListMenusProps) {
  return (
    <>
      <SavedViews list={choice.list} usual={views} columns={choice.shown.join(',')} />
      <Box visibleFrom="sm">
        <ColumnMenu
          columns={choice.all}
          shown={choice.shown}
          usual={choice.usual}
          onChange={choice.choose}
        />
      </Box>
    </>
  )
}
