import { basePath } from '../api/client.ts'
import { t } from '../languages/text.ts'
import classes from './word-mark.module.css'

/** The mark and the name of the product. */
export function WordMark() {
  return (
    <span className={classes.mark}>
      <img src={`${basePath}/favicon.svg`} alt="" width={24} height={24} />
      {t('LoRa fleet console')}
    </span>
  )
}
