// @boundaries-ignore one configuration for all packages
import { project } from '../../vitest.shared.ts';

export default project('example-company-policy');
