/* Extended attributes: a device node here has none. */
#include <sys/xattr.h>

#include "device.h"
#include "fdtab.h"

#define DEFINE_GETXATTR(name)                                               \
	EXPORT ssize_t name(const char *path, const char *attribute,        \
			    void *value, size_t size)                       \
	{                                                                   \
		if (!device_by_path(AT_FDCWD, path))                        \
			return REAL(name)(path, attribute, value, size);    \
		return answer(-ENODATA);                                    \
	}

#define DEFINE_LISTXATTR(name)                                              \
	EXPORT ssize_t name(const char *path, char *list, size_t size)      \
	{                                                                   \
		if (!device_by_path(AT_FDCWD, path))                        \
			return REAL(name)(path, list, size);                \
		return 0;                                                   \
	}

DEFINE_GETXATTR(getxattr)
DEFINE_GETXATTR(lgetxattr)
DEFINE_LISTXATTR(listxattr)
DEFINE_LISTXATTR(llistxattr)
