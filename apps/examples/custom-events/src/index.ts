export { deploy } from './deploy.ts';
export { Deploy, DeployFinished } from './events.ts';
