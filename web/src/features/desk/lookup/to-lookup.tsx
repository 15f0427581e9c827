import { paths } from '@sought/contract/paths'
import { LinkButton } from '../../../shared/loading/error-page.tsx'

/** The way back from a page that is missing or could not be loaded. */
export const ToLookup = () => <LinkButton to={paths.adminLookup()}>Lookup</LinkButton>
