import { Skeleton } from '@mantine/core'
import { t } from '../languages/text.ts'
import classes from './map-view.module.css'

/** In place of a map that is still being loaded or drawn. */
export function MapSkeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label={t('Loading')}>
      <Skeleton width="100%" height="100%" radius={0} />
    </div>
  )
}
