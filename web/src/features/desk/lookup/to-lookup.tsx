import { paths } from '@sought/contract/paths'
import { LinkButton } from '../../../shared/navigation/links.tsx'

/** The way back from a page that is missing or could not be loaded. */
export const ToLookup = () => <LinkButton to={paths.adminLookup()}>Lookup</LinkButton>
