// Needs a function that nothing defines.
int no_such_function(void);
void cudaperf_invoke(void** a) { *(int*)a[0] = no_such_function(); }
