/** The requirements of a Python besides the packages. */
export interface PythonNeeds {
  /** The modules that the packages provide, as `import` names them. */
  modules: string;
  /** The oldest sufficient version; any Python 3 by default. */
  minVersion?: readonly [3, number];
}

/**
 * A Python with the packages of a requirements file, installed once and cached; or the reason why
 * there is none.
 */
export function pythonWith(
  requirements: string,
  needs: PythonNeeds,
): { path: string } | { missing: string };
